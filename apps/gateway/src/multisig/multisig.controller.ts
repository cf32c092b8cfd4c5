import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { buildingRefusals, submitRefusals } from '@shardnode/http';
import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { Builds } from '../transactions/builds.js';
import { Submits } from '../transactions/submits.js';
import { howSweepsEnd, sweepHeaderKeys, sweepHeaders, sweepRequest } from '../transactions/sweep-request.js';
import { builtForm, sweepForm } from '../transactions/transaction-forms.js';
import { BuildSweepResult, SubmitResult } from '../transactions/transactions.schemas.js';
import { checkMultisig, multisigSender } from './multisig-keys.js';
import {
  BuildMultisig,
  BuildMultisigAddress,
  BuildMultisigAddressResult,
  BuildMultisigResult,
  BuildSweepMultisig,
  SubmitMultisig,
} from './multisig.schemas.js';

/** Protocol 07 §9. */
@ApiTags('Multi-signature')
@Controller('multisig')
export class MultisigController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly builds: Builds,
    private readonly submits: Submits,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Address of m of n keys',
    description: 'The order of the keys is part of the address: remember it.',
    answer: BuildMultisigAddressResult,
    codes: ['InvalidMultisig', 'InvalidPublicKey'],
  })
  @Post('address')
  address(
    @Body({ schema: BuildMultisigAddress }) { keys, mrequired }: z.output<typeof BuildMultisigAddress>,
  ): z.output<typeof BuildMultisigAddressResult> {
    checkMultisig(keys, mrequired, this.settings.profile.unminable);
    return { address: addressOf(multisigOf(keys, mrequired)) };
  }

  @Operation({
    role: 'read',
    summary: 'Build a transfer from a multisig address',
    synced: true,
    answer: BuildMultisigResult,
    codes: [...buildingRefusals, 'InvalidPublicKey'],
  })
  @Post('build')
  async build(
    @Body({ schema: BuildMultisig }) body: z.output<typeof BuildMultisig>,
  ): Promise<z.output<typeof BuildMultisigResult>> {
    const { multisigBuildGas, unminable } = this.settings.profile;
    const { group, ...scripts } = multisigSender(body.fromAddress.lockupScript, body.fromPublicKeys, this.settings);
    const reply = await this.builds.transaction(group, 'read.building.transfer', {
      ...scripts,
      destinations: body.destinations,
      gasAmount: body.gas,
      gasPrice: body.gasPrice?.toString(),
      // The formula of the requirement is for one key only (protocol 07 §16.3).
      gasFormula: 'reference',
      unminable,
    });
    const { gasAmount, gasPrice, ...built } = builtForm(reply);
    return multisigBuildGas ? { ...built, gasAmount, gasPrice } : built;
  }

  @Operation({
    role: 'read',
    summary: 'Build the transactions that move everything from a multisig address',
    description: `${howSweepsEnd} Each transaction is submitted with its own m signatures.`,
    synced: true,
    answer: BuildSweepResult,
    answerHeaders: sweepHeaderKeys,
    codes: [...buildingRefusals, 'InvalidPublicKey', 'BlockNotFound'],
  })
  @Post('sweep')
  async sweep(
    @Body({ schema: BuildSweepMultisig })
    { fromAddress, fromPublicKeys, ...sweep }: z.output<typeof BuildSweepMultisig>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.output<typeof BuildSweepResult>> {
    const { unminable } = this.settings.profile;
    const { group, ...scripts } = multisigSender(fromAddress.lockupScript, fromPublicKeys, this.settings);
    const payload = { ...scripts, ...sweepRequest(sweep), unminable };
    const built = await this.builds.sweep(group, payload);
    reply.headers(sweepHeaders(built, sweep, this.settings.brand));
    return sweepForm(built);
  }

  @Operation({
    role: 'wallets',
    summary: 'Submit a transaction with its signatures',
    synced: true,
    answer: SubmitResult,
    codes: submitRefusals,
  })
  @Post('submit')
  submit(
    @Body({ schema: SubmitMultisig }) { unsignedTx, signatures }: z.output<typeof SubmitMultisig>,
  ): Promise<z.output<typeof SubmitResult>> {
    return this.submits.submit(unsignedTx, signatures);
  }
}
