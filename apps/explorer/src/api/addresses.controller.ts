import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { Clock } from '@shardnode/core/lifecycle';
import { optional, required } from '@shardnode/http';
import { parseAddress } from '@shardnode/protocol/address';
import {
  AddressBalance,
  AddressInfo,
  type AddressInfoAnswer,
  AddressOverview,
  type AddressOverviewAnswer,
  PublicKey,
  TotalTransactions,
  Used,
  UtxoSummary,
  type UtxoSummaryAnswer,
} from '../answers/addresses.js';
import {
  type MempoolAnswer,
  MempoolTransactions,
  type TransactionAnswer,
  TransactionInfo,
  type TransactionInfoAnswer,
  Transactions,
} from '../answers/transactions.js';
import { AmountHistory, type AmountHistoryAnswer } from '../answers/charts.js';
import { explorerError, notFound } from '../errors.js';
import {
  addressInfo,
  addressOverview,
  latestTransaction,
  publicKeyOf,
  usedAddresses,
  utxoSummary,
} from '../reads/address-reads.js';
import { amountHistory } from '../reads/chart-reads.js';
import { pendingOfAddress } from '../reads/pending-reads.js';
import { Reads } from '../database/reads.js';
import { idsOfTimes } from '../reads/transaction-reads.js';
import {
  directions,
  listTransactionsOfAddress,
  listTransactionsOfAddresses,
} from '../reads/transactions-of-address.js';
import { chartIntervalOf, ChartQuery } from './chart-interval.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';
import {
  AddressesBody,
  AddressPath,
  checkInterval,
  checkSize,
  choice,
  cursorParameters,
  itemsOf,
  pageOf,
  pageParameters,
  parametersOf,
  timestamp,
} from './parameters.js';

const directionParameter = {
  direction: optional(
    choice(directions, '`out`: only those that spend outputs of the address; `in`: only the others', 'in'),
  ),
};
const TransactionsQuery = parametersOf({ ...cursorParameters(), ...directionParameter });
const IntervalQuery = parametersOf({
  fromTs: required(timestamp, { description: 'First millisecond' }),
  toTs: required(timestamp, { description: 'Last millisecond' }),
  ...cursorParameters(),
  ...directionParameter,
});
const OpenIntervalQuery = parametersOf({
  fromTs: optional(timestamp, { description: 'First millisecond' }),
  toTs: optional(timestamp, { description: 'First millisecond after the interval' }),
  ...pageParameters(),
});
/** As many as a page can have: clients that name no page expect all. */
const defaultPending = 100;
const PendingQuery = parametersOf(pageParameters(defaultPending));
const directionNote =
  'With `direction` one request looks at 10,000 transactions: the answer may have fewer than `limit`, and `X-Next-Cursor` leads on.';
type AddressOfPath = z.output<typeof AddressPath>;

const addressesOfGroup = 20;
const endOfTime = 2n ** 62n;

/** protocol 08 §5.7 */
@ApiTags('Addresses')
@Controller('addresses')
export class AddressesController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly clock: Clock,
  ) {}

  @Operation({ summary: 'Balance and number of transactions of an address', answer: AddressInfo })
  @Get(':address')
  info(@Param({ schema: AddressPath }) { address }: AddressOfPath): Promise<AddressInfoAnswer> {
    return this.reads.of((snapshot) => addressInfo(snapshot, address, this.clock.now()));
  }

  @Operation({
    summary: 'Overview of an address',
    description:
      'Balance, unspent outputs, at most 100 tokens, 20 pending and 20 confirmed transactions, all of one moment. `nextCursor` leads on in `/addresses/{address}/transactions`.',
    answer: AddressOverview,
  })
  @Get(':address/overview')
  overview(@Param({ schema: AddressPath }) { address }: AddressOfPath): Promise<AddressOverviewAnswer> {
    return this.reads.of((snapshot) => addressOverview(snapshot, address, this.clock.now()));
  }

  @Operation({ summary: 'Balance of an address', answer: AddressBalance })
  @Get(':address/balance')
  async balance(@Param({ schema: AddressPath }) { address }: AddressOfPath): Promise<z.input<typeof AddressBalance>> {
    const { balance, lockedBalance } = await this.info({ address });
    return { balance, lockedBalance };
  }

  @Operation({ summary: 'Number of transactions of an address', answer: TotalTransactions })
  @Get(':address/total-transactions')
  async totalTransactions(@Param({ schema: AddressPath }) { address }: AddressOfPath): Promise<string> {
    return JSON.stringify((await this.info({ address })).txNumber);
  }

  @Operation({
    summary: 'Transactions of an address, newest first',
    description: directionNote,
    answer: Transactions,
    hasCursor: true,
  })
  @Get(':address/transactions')
  async transactions(
    @Param({ schema: AddressPath }) { address }: AddressOfPath,
    @Query({ schema: TransactionsQuery }) { direction, ...query }: z.output<typeof TransactionsQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly TransactionAnswer[]> {
    const page = pageOf(query, this.settings);
    return itemsOf(
      await this.reads.of((snapshot) => listTransactionsOfAddress(snapshot, { address, direction }, page)),
      reply,
    );
  }

  @Operation({
    summary: 'Transactions of an address in an interval, newest first',
    description: directionNote,
    answer: Transactions,
    hasCursor: true,
  })
  @Get(':address/timeranged-transactions')
  async transactionsOfInterval(
    @Param({ schema: AddressPath }) { address }: AddressOfPath,
    @Query({ schema: IntervalQuery }) { fromTs, toTs, direction, ...query }: z.output<typeof IntervalQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly TransactionAnswer[]> {
    checkInterval(fromTs, toTs);
    const page = pageOf(query, this.settings);
    const range = idsOfTimes(fromTs, toTs + 1n);
    return itemsOf(
      await this.reads.of((snapshot) => listTransactionsOfAddress(snapshot, { address, direction }, page, range)),
      reply,
    );
  }

  @Operation({ summary: 'Newest transaction of an address', answer: TransactionInfo, mayBeMissing: true })
  @Get(':address/latest-transaction')
  async latestTransaction(@Param({ schema: AddressPath }) { address }: AddressOfPath): Promise<TransactionInfoAnswer> {
    const latest = await this.reads.of((snapshot) => latestTransaction(snapshot, address));
    if (!latest) throw notFound(address);
    return latest;
  }

  @Operation({
    summary: 'Pending transactions of an address, newest first',
    description: 'The newest 100; `page` leads to older ones.',
    answer: MempoolTransactions,
  })
  @Get(':address/mempool/transactions')
  pending(
    @Param({ schema: AddressPath }) { address }: AddressOfPath,
    @Query({ schema: PendingQuery }) { limit = defaultPending, ...query }: z.output<typeof PendingQuery>,
  ): Promise<MempoolAnswer[]> {
    const page = pageOf({ ...query, limit }, this.settings);
    return this.reads.of((snapshot) => pendingOfAddress(snapshot, address, page));
  }

  @Operation({
    summary: 'Unspent outputs of an address by size',
    description:
      'Shows whether a sweep is worth while. Sizes begin at 1, 2 and 5 times a power of ten. Of an address with more than 10,000 transactions the outputs of the newest ones are counted. Fewer than 400 outputs are listed one by one.',
    answer: UtxoSummary,
  })
  @Get(':address/utxo-summary')
  utxoSummary(@Param({ schema: AddressPath }) { address }: AddressOfPath): Promise<UtxoSummaryAnswer> {
    return this.reads.of((snapshot) => utxoSummary(snapshot, address, this.clock.now()));
  }

  @Operation({
    summary: 'Public key of an address that has spent',
    answer: PublicKey,
    mayBeMissing: true,
  })
  @Get(':address/public-key')
  async publicKey(@Param({ schema: AddressPath }) { address }: AddressOfPath): Promise<string> {
    if (parseAddress(address)?.kind !== 'p2pkh')
      throw explorerError('InvalidRequest', 'Only P2PKH addresses supported', { field: 'address' });
    const key = await this.reads.of((snapshot) => publicKeyOf(snapshot, address));
    if (key === undefined) throw notFound(address);
    return JSON.stringify(key);
  }

  @Operation({
    summary: 'Balance of an address over time',
    description: 'At the ends of the hours, days or weeks in which it changed, and of the interval.',
    answer: AmountHistory,
  })
  @Get(':address/amount-history')
  async amountHistory(
    @Param({ schema: AddressPath }) { address }: AddressOfPath,
    @Query({ schema: ChartQuery }) query: z.output<typeof ChartQuery>,
  ): Promise<AmountHistoryAnswer> {
    const interval = chartIntervalOf(query, this.settings.historyDays);
    return { amountHistory: await this.reads.of((snapshot) => amountHistory(snapshot, address, interval)) };
  }

  @Operation({
    summary: 'Whether addresses have a transaction',
    description: 'At most 20 addresses for each group.',
    answer: Used,
  })
  @Post('used')
  used(@Body({ schema: AddressesBody }) addresses: z.output<typeof AddressesBody>): Promise<boolean[]> {
    checkSize(addresses, addressesOfGroup * this.settings.groups);
    return this.reads.of((snapshot) => usedAddresses(snapshot, addresses));
  }

  @Operation({
    summary: 'Transactions of any of some addresses, newest first',
    description: 'At most 20 addresses for each group.',
    answer: Transactions,
  })
  @Post('transactions')
  transactionsOfAll(
    @Query({ schema: OpenIntervalQuery }) { fromTs, toTs, ...query }: z.output<typeof OpenIntervalQuery>,
    @Body({ schema: AddressesBody }) addresses: z.output<typeof AddressesBody>,
  ): Promise<TransactionAnswer[]> {
    checkInterval(fromTs, toTs);
    checkSize(addresses, addressesOfGroup * this.settings.groups);
    const page = pageOf(query, this.settings);
    const range = idsOfTimes(fromTs ?? 0n, toTs ?? endOfTime);
    return this.reads.of((snapshot) => listTransactionsOfAddresses(snapshot, addresses, page, range));
  }
}
