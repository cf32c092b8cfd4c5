import { Body, Controller, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { headersOf } from '@shardnode/core/http-server';
import { allGroups, GroupClient } from '@shardnode/messages';
import { verifySignature } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { targetHashrate } from './target-hashrate.js';
import { HashRate, TargetToHashrate, VerifySignature, VerifySignatureResult } from './utils.schemas.js';
import { wrongSignatureAdvice } from './wrong-signature.js';

/** Protocol 07 §14. */
@ApiTags('Utils')
@Controller('utils')
export class UtilsController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Verify a signature over 32 bytes',
    description: 'Of a signature that does not verify, a header says what is wrong.',
    answer: VerifySignatureResult,
    answerHeaders: ['signatureAdvice'],
  })
  @Post('verify-signature')
  verifySignature(
    @Body({ schema: VerifySignature }) { data, signature, publicKey }: z.output<typeof VerifySignature>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): boolean {
    const bytes = hexToBytes(data);
    if (verifySignature(bytes, signature, publicKey)) return true;
    reply.headers(headersOf({ signatureAdvice: wrongSignatureAdvice(bytes, signature, publicKey) }));
    return false;
  }

  @Operation({
    role: 'read',
    summary: 'Hash rate of a target',
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
