import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { hexText, required } from '@shardnode/http';
import {
  type DecodedAnswer,
  DecodedTransaction,
  ScriptFailureAnswer,
  type ScriptFailureForm,
  type TransactionAnswer,
  TransactionByHash,
  Transactions,
} from '../answers/transactions.js';
import { developmentTools, type DevelopmentTools } from '../development/development-tools.js';
import { notFound } from '../errors.js';
import { failureText } from '../group-nodes/failure-text.js';
import { ScriptFailures } from '../group-nodes/script-failures.js';
import { decodedTransaction, readUnsigned } from '../reads/decoded-transaction.js';
import { findPending } from '../reads/pending-reads.js';
import { Reads } from '../database/reads.js';
import { findTransaction, listTransactions } from '../reads/transaction-reads.js';
import { ExplorerSettings } from '../settings.js';
import { FirstParts } from './first-parts.js';
import { Operation } from './operation.js';
import {
  cursorParameters,
  itemsOf,
  pageOf,
  parametersOf,
  paymentsParameter,
  TransactionHashPath,
} from './parameters.js';

const TransactionsQuery = parametersOf({
  ...cursorParameters(),
  ...paymentsParameter('those that are no block reward'),
});

/** A transaction of more bytes does not fit into the largest body. */
const DecodeBody = parametersOf({
  unsignedTx: required(hexText, { description: 'Serialized unsigned transaction', maxLength: 65_536 }),
});

/** protocol 08 §5.6 */
@ApiTags('Transactions')
@Controller('transactions')
export class TransactionsController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly firstParts: FirstParts,
    private readonly failures: ScriptFailures,
    @Inject(developmentTools) private readonly tools: DevelopmentTools | undefined,
  ) {}

  @Operation({ summary: 'Transactions of the main chains, newest first', answer: Transactions, hasCursor: true })
  @Get()
  async list(
    @Query({ schema: TransactionsQuery }) query: z.output<typeof TransactionsQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly TransactionAnswer[]> {
    const page = pageOf(query, this.settings);
    const list = query.payments === true ? 'payments' : 'all';
    const part = await this.firstParts.of(`transactions ${list}`, page, () =>
      this.reads.of((snapshot) => listTransactions(snapshot, list, [], page)),
    );
    return itemsOf(part, reply);
  }

  @Operation({
    summary: 'Transaction by its id, in a block of the main chain or pending',
    answer: TransactionByHash,
    mayBeMissing: true,
  })
  @Get(':transaction_hash')
  async transaction(
    @Param({ schema: TransactionHashPath }) { transaction_hash: hash }: z.output<typeof TransactionHashPath>,
  ): Promise<z.input<typeof TransactionByHash>> {
    return this.reads.of(async (snapshot) => {
      const accepted = await findTransaction(snapshot, hash);
      if (accepted) return { type: 'Accepted' as const, ...accepted };
      const pending = await findPending(snapshot, hash);
      if (pending) return { type: 'Pending' as const, ...pending };
      throw notFound(hash);
    });
  }

  @Operation({
    summary: 'Why the script of a transaction failed',
    description: 'The group-node of the chain runs the block again. 404: no transaction with a script that failed.',
    answer: ScriptFailureAnswer,
    mayBeMissing: true,
  })
  @Get(':transaction_hash/script-failure')
  async scriptFailure(
    @Param({ schema: TransactionHashPath }) { transaction_hash: hash }: z.output<typeof TransactionHashPath>,
  ): Promise<ScriptFailureForm> {
    const found = await this.reads.of((snapshot) => findTransaction(snapshot, hash));
    if (found?.scriptExecutionOk !== false) throw notFound(hash);
    const failure = await this.failures.of(found.chainFrom, found.blockHash, hash);
    if (failure === undefined) return { reason: null };
    const { reason, facts } = failure;
    const {
      failedContract: contract,
      failedInstruction: place,
      assertionCode,
    } = facts as Partial<Record<string, string>>;
    return {
      reason: failureText(reason, this.settings.coinSymbol),
      contract,
      place,
      assertionCode,
      ...(await this.tools?.failureNames(facts)),
    };
  }

  @Operation({ summary: 'Decode an unsigned transaction', answer: DecodedTransaction })
  @Post('decode-unsigned-tx')
  decode(@Body({ schema: DecodeBody }) { unsignedTx }: z.output<typeof DecodeBody>): Promise<DecodedAnswer> {
    const unsigned = readUnsigned(unsignedTx, this.settings.groups);
    return this.reads.of((snapshot) => decodedTransaction(snapshot, unsigned));
  }
}
