import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ServiceError } from '@shardnode/core/errors';
import { headersOf } from '@shardnode/core/http-server';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import {
  brandedText,
  buildingRefusals,
  intakeRefusals,
  jsonTextWithIntegers,
  scriptHex,
  timestampForm,
  validationRefusals,
  type Brand,
  type ErrorCode,
} from '@shardnode/http';
import { mayBeExecuted, type SkippedAddress, WalletClient, type WalletRequests } from '@shardnode/messages';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { SubmitResult } from '../transactions/transactions.schemas.js';
import { walletBalancesForm } from './wallet-balances-form.js';
import { Balances, Sign, SignResult, Sweep, Transfer, TransferResults, WalletPath } from './wallets.schemas.js';

type Path = z.output<typeof WalletPath>;

const paymentCodes: readonly ErrorCode[] = [
  'WalletNotFound',
  'WalletLocked',
  ...buildingRefusals,
  ...validationRefusals,
  ...intakeRefusals,
];
const sweepDescription =
  'Builds, signs and submits one transaction for each 128 outputs, one after another; the answer names the last one first. `skipped` names addresses that were not swept, or not wholly, with the reason: ask again for them when it has passed. An error means that nothing was sent. One call takes a minute at most: ask again for the rest.';

const skippedForm = (
  { address, code, detail, spendableAt, txId }: SkippedAddress,
  brand: Brand,
): NonNullable<z.output<typeof TransferResults>['skipped']>[number] => ({
  address,
  code,
  detail: brandedText(detail, brand),
  ...(spendableAt === undefined ? {} : { spendableAt: timestampForm(BigInt(spendableAt)) }),
  ...(txId === undefined ? {} : { txId }),
});

/** Balances, signatures and payments of wallets (protocol 07 §4). */
@ApiTags('Wallets')
@Controller('wallets/:wallet_name')
export class WalletPaymentsController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly wallet: WalletClient,
  ) {}

  @Operation({
    role: 'wallets',
    summary: 'Balances of all addresses of a wallet',
    answer: Balances,
    codes: ['WalletNotFound', 'WalletLocked'],
  })
  @Get('balances')
  async balances(@Param({ schema: WalletPath }) { wallet_name: walletName }: Path): Promise<string> {
    const { brand, profile } = this.settings;
    const reply = await this.wallet.request('balances', { walletName });
    return jsonTextWithIntegers(walletBalancesForm(reply, brand, profile.walletBalances));
  }

  @Operation({
    role: 'wallets',
    summary: 'Sign the id of a transaction with the active address',
    answer: SignResult,
    codes: ['WalletNotFound', 'WalletLocked'],
  })
  @Post('sign')
  async sign(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: Sign }) { data }: z.output<typeof Sign>,
  ): Promise<z.output<typeof SignResult>> {
    const { signature } = await this.wallet.request('sign', { walletName, data });
    return { signature };
  }

  @Operation({
    role: 'wallets',
    summary: 'Build, sign and submit a transfer from the active address',
    answer: SubmitResult,
    codes: paymentCodes,
  })
  @Post('transfer')
  async transfer(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: Transfer }) { destinations, gas: gasAmount, gasPrice }: z.output<typeof Transfer>,
  ): Promise<z.output<typeof SubmitResult>> {
    const { gasFormula, unminable } = this.settings.profile;
    const { txId, fromGroup, toGroup } = await this.pay('transfer', {
      walletName,
      destinations,
      gasAmount,
      gasPrice: gasPrice?.toString(),
      gasFormula,
      unminable,
    });
    return { txId, fromGroup, toGroup };
  }

  @Operation({
    role: 'wallets',
    summary: 'Send everything that the active address has to one address',
    description: sweepDescription,
    answer: TransferResults,
    answerHeaders: ['walletAdvice'],
    codes: paymentCodes,
  })
  @Post('sweep-active-address')
  sweepActiveAddress(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: Sweep }) sweep: z.output<typeof Sweep>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.output<typeof TransferResults>> {
    return this.sweep('sweep-active-address', walletName, sweep, reply);
  }

  @Operation({
    role: 'wallets',
    summary: 'Send everything that each address of a wallet has to one address',
    description: sweepDescription,
    answer: TransferResults,
    codes: paymentCodes,
  })
  @Post('sweep-all-addresses')
  sweepAllAddresses(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: Sweep }) sweep: z.output<typeof Sweep>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.output<typeof TransferResults>> {
    return this.sweep('sweep-all-addresses', walletName, sweep, reply);
  }

  /** Without an answer nobody knows whether coins were sent. */
  private async pay<Name extends 'transfer' | 'sweep-active-address' | 'sweep-all-addresses'>(
    name: Name,
    payload: WalletRequests[Name]['request'],
  ): Promise<WalletRequests[Name]['reply']> {
    try {
      return await this.wallet.request(name, payload);
    } catch (error) {
      const isLost = error instanceof ServiceError && error.data['service'] !== undefined && mayBeExecuted(error);
      if (!isLost) throw error;
      const { kind, code, detail, data } = error;
      const text = `${detail}; whether it has sent coins is not known: look at the balances before sending again`;
      throw new ServiceError(kind, code, text, data);
    }
  }

  private async sweep(
    name: 'sweep-active-address' | 'sweep-all-addresses',
    walletName: string,
    { toAddress, lockTime, gasAmount, gasPrice }: z.output<typeof Sweep>,
    reply: FastifyReply,
  ): Promise<z.output<typeof TransferResults>> {
    // A wallet-service of an older version names none, and what it has sent must not be lost.
    const {
      results,
      skipped = [],
      walletAdvice,
    } = await this.pay(name, {
      walletName,
      destination: scriptHex(toAddress.lockupScript),
      lockTime: lockTime?.toString(),
      gasAmount,
      gasPrice: gasPrice?.toString(),
      unminable: this.settings.profile.unminable,
    });
    const { brand } = this.settings;
    if (walletAdvice !== undefined) reply.headers(headersOf({ walletAdvice: brandedText(walletAdvice, brand) }));
    return {
      results: results.map(({ txId, fromGroup, toGroup }) => ({ txId, fromGroup, toGroup })),
      // Clients that know only the documented answer see no other form while nothing is skipped.
      ...(skipped.length === 0 ? {} : { skipped: skipped.map((one) => skippedForm(one, brand)) }),
    };
  }
}
