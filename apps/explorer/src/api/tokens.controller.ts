import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { type Leaf, optional } from '@shardnode/http';
import { Addresses, Holders, type HoldersAnswer } from '../answers/addresses.js';
import {
  CollectionMetadataList,
  FungibleMetadataList,
  NftMetadataList,
  TokenDetails,
  type TokenInfoAnswer,
  TokenInfos,
} from '../answers/tokens.js';
import { type TransactionAnswer, Transactions } from '../answers/transactions.js';
import { notFound } from '../errors.js';
import { collectionMetadata, fungibleMetadata, nftMetadata } from '../reads/metadata-reads.js';
import { Reads } from '../database/reads.js';
import {
  addressesOfToken,
  coinHolders,
  findTokens,
  listTokens,
  type TokenFilter,
  tokenDetails,
  tokenHolders,
} from '../reads/token-reads.js';
import { listTransactions } from '../reads/transaction-reads.js';
import { ExplorerSettings } from '../settings.js';
import { FirstParts } from './first-parts.js';
import { Operation } from './operation.js';
import {
  AddressesBody,
  checkSize,
  CursorQuery,
  cursorParameters,
  itemsOf,
  pageOf,
  PageQuery,
  parametersOf,
  TokenPath,
  TokensBody,
} from './parameters.js';

/** Words for interfaces (protocol 08 §5.12); other values are ids. */
const namedFilters: Readonly<Record<string, TokenFilter>> = {
  fungible: { by: 'category', category: '0001' },
  'non-fungible': { by: 'category', category: '0003' },
  'non-standard': { by: 'interface_id', interfaceId: '' },
  '': { by: 'interface_id', interfaceId: '' },
};

const interfaceFilter: Leaf<TokenFilter> = {
  expects: 'fungible, non-fungible, non-standard, or 4 to 16 hexadecimal digits, an even number',
  read: (raw) => {
    if (typeof raw !== 'string') return undefined;
    if (Object.hasOwn(namedFilters, raw)) return namedFilters[raw];
    return /^([0-9a-fA-F]{2}){2,8}$/.test(raw) ? { by: 'interface_id', interfaceId: raw.toLowerCase() } : undefined;
  },
  meaning: {
    description: 'Only tokens of this interface',
    example: 'fungible',
    type: 'string',
    pattern: '^(fungible|non-fungible|non-standard|([0-9a-fA-F]{2}){2,8})?$',
  },
};
const TokensQuery = parametersOf({
  ...cursorParameters(3),
  'interface-id': optional(interfaceFilter),
});

/** Longest list of tokens in a body. */
const maxTokens = 80;

/** protocol 08 §5.12 */
@ApiTags('Tokens')
@Controller('tokens')
export class TokensController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly firstParts: FirstParts,
  ) {}

  @Operation({ summary: 'Tokens, most recently used first', answer: TokenInfos, hasCursor: true })
  @Get()
  async list(
    @Query({ schema: TokensQuery }) { 'interface-id': filter = { by: 'all' }, ...query }: z.output<typeof TokensQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly TokenInfoAnswer[]> {
    const page = pageOf(query, this.settings);
    const read = () => this.reads.of((snapshot) => listTokens(snapshot, filter, page));
    return itemsOf(await (filter.by === 'all' ? this.firstParts.of('tokens', page, read) : read()), reply);
  }

  @Operation({
    summary: 'Tokens by their ids',
    description: `At most ${maxTokens}; unknown ones are left out.`,
    answer: TokenInfos,
  })
  @Post()
  find(@Body({ schema: TokensBody }) tokens: z.output<typeof TokensBody>): Promise<TokenInfoAnswer[]> {
    checkSize(tokens, maxTokens);
    return this.reads.of((snapshot) => findTokens(snapshot, tokens));
  }

  @Operation({
    summary: 'Metadata of fungible tokens',
    description: `At most ${maxTokens}; those without metadata are left out.`,
    answer: FungibleMetadataList,
  })
  @Post('fungible-metadata')
  fungibleMetadata(@Body({ schema: TokensBody }) tokens: z.output<typeof TokensBody>) {
    checkSize(tokens, maxTokens);
    return this.reads.of((snapshot) => fungibleMetadata(snapshot, tokens));
  }

  @Operation({
    summary: 'Metadata of non-fungible tokens',
    description: `At most ${maxTokens}; those without metadata are left out.`,
    answer: NftMetadataList,
  })
  @Post('nft-metadata')
  nftMetadata(@Body({ schema: TokensBody }) tokens: z.output<typeof TokensBody>) {
    checkSize(tokens, maxTokens);
    return this.reads.of((snapshot) => nftMetadata(snapshot, tokens));
  }

  @Operation({
    summary: 'Metadata of collections of tokens',
    description: `At most ${maxTokens} addresses of contracts; those without metadata are left out.`,
    answer: CollectionMetadataList,
  })
  @Post('nft-collection-metadata')
  collectionMetadata(@Body({ schema: AddressesBody }) addresses: z.output<typeof AddressesBody>) {
    checkSize(addresses, maxTokens);
    return this.reads.of((snapshot) => collectionMetadata(snapshot, addresses));
  }

  @Operation({ summary: 'A token in full', answer: TokenDetails, mayBeMissing: true })
  @Get(':token_id')
  async details(@Param({ schema: TokenPath }) { token_id: token }: z.output<typeof TokenPath>) {
    const details = await this.reads.of((snapshot) => tokenDetails(snapshot, token));
    if (!details) throw notFound(token);
    return details;
  }

  @Operation({ summary: 'Transactions with a token, newest first', answer: Transactions, hasCursor: true })
  @Get(':token_id/transactions')
  async transactions(
    @Param({ schema: TokenPath }) { token_id: token }: z.output<typeof TokenPath>,
    @Query({ schema: CursorQuery }) query: z.output<typeof CursorQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly TransactionAnswer[]> {
    const page = pageOf(query, this.settings);
    const keys = [Buffer.from(token, 'hex')];
    return itemsOf(await this.reads.of((snapshot) => listTransactions(snapshot, 'token', keys, page)), reply);
  }

  @Operation({ summary: 'Addresses that have ever had a token', answer: Addresses })
  @Get(':token_id/addresses')
  addresses(
    @Param({ schema: TokenPath }) { token_id: token }: z.output<typeof TokenPath>,
    @Query({ schema: PageQuery }) query: z.output<typeof PageQuery>,
  ): Promise<string[]> {
    const page = pageOf(query, this.settings);
    return this.reads.of((snapshot) => addressesOfToken(snapshot, token, page));
  }

  @Operation({ summary: 'Holders of the coin, richest first', answer: Holders })
  @Get('holders/coin')
  coinHolders(@Query({ schema: PageQuery }) query: z.output<typeof PageQuery>): Promise<HoldersAnswer> {
    const page = pageOf(query, this.settings);
    return this.reads.of((snapshot) => coinHolders(snapshot, page));
  }

  @Operation({ summary: 'Holders of a token, richest first', answer: Holders })
  @Get('holders/token/:token_id')
  tokenHolders(
    @Param({ schema: TokenPath }) { token_id: token }: z.output<typeof TokenPath>,
    @Query({ schema: PageQuery }) query: z.output<typeof PageQuery>,
  ): Promise<HoldersAnswer> {
    const page = pageOf(query, this.settings);
    return this.reads.of((snapshot) => tokenHolders(snapshot, token, page));
  }
}
