import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { compilerRefusals } from '@shardnode/http';
import { Operation } from '../../operations/operation.js';
import { ApiSettings } from '../../settings/api-settings.js';
import { type CompileOperation } from './compile-job.js';
import { Compiling } from './compiling.js';
import {
  CompileContractResult,
  CompileProjectResult,
  CompileScriptResult,
  ContractSource,
  ProjectSource,
  ScriptSource,
} from './compiling.schemas.js';

type Source = z.output<typeof ProjectSource>;

const ofErrors =
  'An error of the source is a 400 whose detail shows the place in the source: line, column and what is wrong there.';

/** Sources of contracts and scripts: protocol 07 §10.4. */
@ApiTags('Contracts')
@Controller('contracts')
export class CompilingController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly compiling: Compiling,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Compile a script',
    description: `The first entity of the source must be a script. ${ofErrors}`,
    answer: CompileScriptResult,
    codes: compilerRefusals,
  })
  @Post('compile-script')
  compileScript(
    @Body({ schema: ScriptSource }) source: Source,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.compile('script', source, reply);
  }

  @Operation({
    role: 'read',
    summary: 'Compile a contract',
    description: `The first entity of the source must be a contract; the others are those that it needs. ${ofErrors}`,
    answer: CompileContractResult,
    codes: compilerRefusals,
  })
  @Post('compile-contract')
  compileContract(
    @Body({ schema: ContractSource }) source: Source,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.compile('contract', source, reply);
  }

  @Operation({
    role: 'read',
    summary: 'Compile all contracts and scripts of a source',
    description: `Abstract contracts and interfaces have no result of their own. ${ofErrors}`,
    answer: CompileProjectResult,
    codes: compilerRefusals,
  })
  @Post('compile-project')
  compileProject(
    @Body({ schema: ProjectSource }) source: Source,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.compile('project', source, reply);
  }

  private compile(operation: CompileOperation, { code, compilerOptions }: Source, reply: FastifyReply) {
    const version = this.settings.reportedVersion;
    return this.compiling.compile(reply, { operation, source: code, options: compilerOptions ?? {}, version });
  }
}
