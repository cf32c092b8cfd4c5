import { Body, Controller, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { allGroups, GroupClient } from '@shardnode/messages';
import { verifySignature } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { targetHashrate } from './target-hashrate.js';
import { HashRate, TargetToHashrate, VerifySignature, VerifySignatureResult } from './utils.schemas.js';

/** Protocol 07 §14. */
@ApiTags('Utils')
@Controller('utils')
export class UtilsController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
  ) {}

  @Operation({ role: 'read', summary: 'Verify a signature over 32 bytes', answer: VerifySignatureResult })
  @Post('verify-signature')
  verifySignature(
    @Body({ schema: VerifySignature }) { data, signature, publicKey }: z.output<typeof VerifySignature>,
  ): boolean {
    return verifySignature(hexToBytes(data), signature, publicKey);
  }

  @Operation({
    role: 'read',
    summary: 'Hash rate that a target stands for',
    answer: HashRate,
    codes: ['InvalidTarget'],
  })
  @Post('target-to-hashrate')
  targetToHashrate(
    @Body({ schema: TargetToHashrate }) { target }: z.output<typeof TargetToHashrate>,
  ): z.output<typeof HashRate> {
    return { hashrate: targetHashrate(target, this.settings.network).toString() };
  }

  @Operation({
    role: 'operate',
    summary: 'Check and repair the height index of all chains',
    description: 'Answers when the check has started; while one runs another request does nothing.',
  })
  @Put('check-hash-indexing')
  async checkHashIndexing(): Promise<void> {
    await allGroups(this.groups, 'command.chain.check-index', {});
  }
}
