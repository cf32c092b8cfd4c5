import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { compilerRefusals, invalidRequest } from '@shardnode/http';
import { Operation } from '../../operations/operation.js';
import { ApiSettings } from '../../settings/api-settings.js';
import { type CompileOperation } from './compile-job.js';
import { Compiling } from './compiling.js';
import {
  CompileContractResult,
  CompileProjectResult,
  compilerOptionNames,
  CompileScriptResult,
  ContractSource,
  ProjectSource,
  ScriptSource,
} from './compiling.schemas.js';

type Source = z.output<typeof ProjectSource>;

const ofErrors =
  'An error of the source is a 400 whose detail shows the place in the source: line, column and what is wrong there.';

/** @throws ServiceError `InvalidRequest` that names the options that the compiler does not have */
const refuseUnknownOptions = (body: unknown): void => {
  const { compilerOptions: given } = body as { readonly compilerOptions?: object | null };
  const unknown = Object.keys(given ?? {}).filter((name) => !compilerOptionNames.includes(name));
  if (unknown.length === 0) return;
  const message = `is no option of the compiler, which has ${compilerOptionNames.join(', ')}`;
  throw invalidRequest(unknown.map((name) => ({ part: 'body', field: `compilerOptions.${name}`, message })));
};

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
    const { reportedVersion: version, profile } = this.settings;
    const isStrict = profile.compiler === 'strict';
    if (isStrict) refuseUnknownOptions(reply.request.body);
    const options = { ...compilerOptions, warnsOncePerFunction: isStrict };
    return this.compiling.compile(reply, { operation, source: code, options, version });
  }
}
