import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { Clock } from '@shardnode/core/lifecycle';
import { TokenBalance, type TokenBalanceAnswer, TokenBalances, TokenIds } from '../answers/addresses.js';
import { type TransactionAnswer, Transactions } from '../answers/transactions.js';
import { tokenBalance, tokenBalances, tokensOfAddress } from '../reads/address-reads.js';
import { Reads } from '../database/reads.js';
import { listTransactions } from '../reads/transaction-reads.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';
import {
  AddressPath,
  AddressTokenPath,
  CursorQuery,
  itemsOf,
  pageOf,
  pageParameters,
  PageQuery,
  parametersOf,
} from './parameters.js';

const defaultTokens = 100;
const TokensQuery = parametersOf(pageParameters(defaultTokens));

/** Tokens of an address (protocol 08 §5.7). */
@ApiTags('Addresses')
@Controller('addresses/:address')
export class AddressTokensController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly clock: Clock,
  ) {}

  @Operation({ summary: 'Tokens that an address has, first seen first', answer: TokenBalances })
  @Get('tokens-balance')
  balances(
    @Param({ schema: AddressPath }) { address }: z.output<typeof AddressPath>,
    @Query({ schema: PageQuery }) query: z.output<typeof PageQuery>,
  ): Promise<TokenBalanceAnswer[]> {
    const page = pageOf(query, this.settings);
    return this.reads.of((snapshot) => tokenBalances(snapshot, address, this.clock.now(), page));
  }

  @Operation({ summary: 'Tokens that an address has ever had, first seen first', answer: TokenIds })
  @Get('tokens')
  tokens(
    @Param({ schema: AddressPath }) { address }: z.output<typeof AddressPath>,
    @Query({ schema: TokensQuery }) { limit = defaultTokens, ...query }: z.output<typeof TokensQuery>,
  ): Promise<string[]> {
    const page = pageOf({ ...query, limit }, this.settings);
    return this.reads.of((snapshot) => tokensOfAddress(snapshot, address, page));
  }

  @Operation({ summary: 'Balance of a token of an address', answer: TokenBalance })
  @Get('tokens/:token_id/balance')
  balance(
    @Param({ schema: AddressTokenPath }) { address, token_id: token }: z.output<typeof AddressTokenPath>,
  ): Promise<TokenBalanceAnswer> {
    return this.reads.of((snapshot) => tokenBalance(snapshot, address, token, this.clock.now()));
  }

  @Operation({
    summary: 'Transactions of an address with a token, newest first',
    answer: Transactions,
    hasCursor: true,
  })
  @Get('tokens/:token_id/transactions')
  async transactions(
    @Param({ schema: AddressTokenPath }) { address, token_id: token }: z.output<typeof AddressTokenPath>,
    @Query({ schema: CursorQuery }) query: z.output<typeof CursorQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly TransactionAnswer[]> {
    const page = pageOf(query, this.settings);
    const keys = [address, Buffer.from(token, 'hex')];
    return itemsOf(await this.reads.of((snapshot) => listTransactions(snapshot, 'addressToken', keys, page)), reply);
  }
}
