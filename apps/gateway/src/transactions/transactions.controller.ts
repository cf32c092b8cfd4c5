import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { buildingRefusals, submitRefusals } from '@shardnode/http';
import { buildOutcome, groupOfSenders } from '@shardnode/protocol/building';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { chainIndexOf } from '@shardnode/protocol/transaction';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { Builds } from './builds.js';
import { scriptsOfKey, senderOf, senderOfKey } from './senders.js';
import { Submits } from './submits.js';
import { howSweepsEnd, sweepHeaderKeys, sweepHeaders, sweepRequest } from './sweep-request.js';
import { TransactionDetails } from './transaction-details.js';
import { builtForm, sweepForm, type TransactionAnswer, transactionForm, unsignedForm } from './transaction-forms.js';
import { type TransactionStatusAnswer, TransactionStatuses } from './transaction-statuses.js';
import {
  BuildMultiAddresses,
  BuildSweep,
  BuildSweepResult,
  BuildTransaction,
  BuildTransactionResult,
  DecodeResult,
  DecodeTransaction,
  DetailsPath,
  DetailsQuery,
  StatusQuery,
  SubmitResult,
  SubmitTransaction,
  Transaction,
  TransactionStatus,
} from './transactions.schemas.js';
import { builtOrRefused, readShownTransaction } from './unsigned-transaction.js';

/** Protocol 07 §8. */
@ApiTags('Transactions')
@Controller('transactions')
export class TransactionsController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly builds: Builds,
    private readonly submits: Submits,
    private readonly statuses: TransactionStatuses,
    private readonly transactionDetails: TransactionDetails,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Build a transfer of one key',
    description: 'Answers the unsigned transaction; sign its `txId`, then submit it.',
    synced: true,
    answer: BuildTransactionResult,
    codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
  })
  @Post('build')
  async build(
    @Body({ schema: BuildTransaction }) body: z.output<typeof BuildTransaction>,
  ): Promise<z.output<typeof BuildTransactionResult>> {
    const { fromPublicKey, fromPublicKeyType = 'default', gasPrice, ...transfer } = body;
    const { gasFormula, unminable } = this.settings.profile;
    const { group, ...scripts } = senderOfKey(fromPublicKey, fromPublicKeyType, this.settings);
    const payload = { ...scripts, ...transfer, gasPrice: gasPrice?.toString(), gasFormula, unminable };
    return builtForm(await this.builds.transaction(group, 'read.building.transfer', payload));
  }

  @Operation({
    role: 'wallets',
    summary: 'Submit a signed transaction',
    description: 'The same transaction may be submitted again: it is one transaction and the same answer.',
    synced: true,
    answer: SubmitResult,
    codes: submitRefusals,
  })
  @Post('submit')
  submit(
    @Body({ schema: SubmitTransaction }) { unsignedTx, signature }: z.output<typeof SubmitTransaction>,
  ): Promise<z.output<typeof SubmitResult>> {
    return this.submits.submit(unsignedTx, [signature]);
  }

  @Operation({ role: 'read', summary: 'Status of a transaction', answer: TransactionStatus })
  @Get('status')
  status(
    @Query({ schema: StatusQuery }) { txId, fromGroup: from, toGroup: to }: z.output<typeof StatusQuery>,
  ): Promise<TransactionStatusAnswer> {
    return this.statuses.find({ txId, from, to });
  }

  @Operation({
    role: 'read',
    summary: 'A mined transaction in full',
    answer: Transaction,
    codes: ['TransactionNotFound'],
  })
  @Get('details/:txId')
  async details(
    @Param({ schema: DetailsPath }) { txId }: z.output<typeof DetailsPath>,
    @Query({ schema: DetailsQuery }) { fromGroup: from, toGroup: to }: z.output<typeof DetailsQuery>,
  ): Promise<TransactionAnswer> {
    return transactionForm(await this.transactionDetails.find({ txId, from, to }));
  }

  @Operation({
    role: 'read',
    summary: 'Decode an unsigned transaction',
    answer: DecodeResult,
    codes: ['InvalidHex', 'InvalidTransaction'],
  })
  @Post('decode-unsigned-tx')
  decode(
    @Body({ schema: DecodeTransaction }) { unsignedTx }: z.output<typeof DecodeTransaction>,
  ): z.output<typeof DecodeResult> {
    const unsigned = readShownTransaction(unsignedTx);
    const { from, to } = chainIndexOf(unsigned, this.settings.network.groups)!;
    return { fromGroup: from, toGroup: to, unsignedTx: unsignedForm(unsigned) };
  }

  @Operation({
    role: 'read',
    summary: 'Build one transaction of several keys',
    description:
      'All senders are of one group, and so are all destinations. Each sender signs `txId`; the signatures, in the ' +
      'order of the senders, go to `POST /multisig/submit`.',
    synced: true,
    answer: BuildTransactionResult,
    codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
  })
  @Post('build-multi-addresses')
  async buildMultiAddresses(
    @Body({ schema: BuildMultiAddresses }) { from, gasPrice, targetBlockHash }: z.output<typeof BuildMultiAddresses>,
  ): Promise<z.output<typeof BuildTransactionResult>> {
    const { groups } = this.settings.network;
    const { unminable } = this.settings.profile;
    const senders = from.map(({ fromPublicKey, fromPublicKeyType = 'default' }, i) =>
      scriptsOfKey(fromPublicKey, fromPublicKeyType, unminable, `from[${i}].fromPublicKey`),
    );
    const lockupScripts = senders.map(({ lockupScript }) => lockupScript);
    const group = builtOrRefused(buildOutcome(() => groupOfSenders(lockupScripts, groups)));
    const sources = from.map(({ destinations, gasAmount, utxos }, i) => {
      const { lockupScript, unlockScript } = senderOf(senders[i]!.lockupScript, senders[i]!.unlockScript, groups);
      return { lockupScript, unlockScript, destinations, gasAmount, utxos };
    });
    const payload = { sources, gasPrice: gasPrice?.toString(), targetBlockHash, unminable };
    return builtForm(await this.builds.transaction(group, 'read.building.many-senders', payload));
  }

  @Operation({
    role: 'read',
    summary: 'Build the transactions that move everything from the address of a key',
    description: `${howSweepsEnd} Each transaction is signed and submitted by itself.`,
    synced: true,
    answer: BuildSweepResult,
    answerHeaders: sweepHeaderKeys,
    codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
  })
  @Post('sweep-address/build')
  async buildSweep(
    @Body({ schema: BuildSweep }) { fromPublicKey, ...sweep }: z.output<typeof BuildSweep>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.output<typeof BuildSweepResult>> {
    const { unminable } = this.settings.profile;
    const { group, ...scripts } = senderOfKey(bytesToHex(fromPublicKey), 'default', this.settings);
    const payload = { ...scripts, ...sweepRequest(sweep), unminable };
    const built = await this.builds.sweep(group, payload);
    reply.headers(sweepHeaders(built, sweep, this.settings.brand));
    return sweepForm(built);
  }
}
