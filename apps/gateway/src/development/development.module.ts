import { Controller, type DynamicModule, Inject, Module } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { type DevelopmentRequests, GroupClient, HandlesDevelopmentRequest, type MiningMode } from '@shardnode/messages';
import { CompiledNames } from '../contracts/compiling/compiled-names.js';
import { Compiling } from '../contracts/compiling/compiling.js';
import { ContractsModule } from '../contracts/contracts.module.js';
import { ApiSettings } from '../settings/api-settings.js';

/** Parts of a development network besides its gateway. */
export interface DevelopmentPorts {
  /** Pays a coin from an account to one of another group. @returns the id of the transaction */
  sendTestPayment(): Promise<string>;
  /** When the network mines by itself. */
  readonly mining: MiningMode;
}

const developmentPorts = Symbol('development ports');

/** Answers the explorer of a development network: names in sources that this gateway compiled, test payments, and blocks on request. */
@Controller()
class DevelopmentHandlers {
  constructor(
    @Inject(developmentPorts) private readonly ports: DevelopmentPorts,
    private readonly names: CompiledNames,
    private readonly groups: GroupClient,
    private readonly compiling: Compiling,
    private readonly settings: ApiSettings,
  ) {}

  @HandlesDevelopmentRequest('test-payment')
  async pay(): Promise<DevelopmentRequests['test-payment']['reply']> {
    return { txId: await this.ports.sendTestPayment() };
  }

  @HandlesDevelopmentRequest('mining-mode')
  miningMode(): DevelopmentRequests['mining-mode']['reply'] {
    return { mode: this.ports.mining };
  }

  @HandlesDevelopmentRequest('mine-one-block')
  mineOneBlock(
    chain: DevelopmentRequests['mine-one-block']['request'],
  ): Promise<DevelopmentRequests['mine-one-block']['reply']> {
    return this.groups.request(chain.from, 'command.mining.mine-one', chain);
  }

  @HandlesDevelopmentRequest('contract-names')
  contractNames({
    codeHash,
  }: DevelopmentRequests['contract-names']['request']): DevelopmentRequests['contract-names']['reply'] {
    return { names: this.names.ofCode(codeHash) ?? null };
  }

  @HandlesDevelopmentRequest('codes-named')
  codesNamed({ text }: DevelopmentRequests['codes-named']['request']): DevelopmentRequests['codes-named']['reply'] {
    return { codes: this.names.named(text) };
  }

  @HandlesDevelopmentRequest('compile-source')
  async compileSource({
    source,
  }: DevelopmentRequests['compile-source']['request']): Promise<DevelopmentRequests['compile-source']['reply']> {
    const options = { warnsOncePerFunction: true };
    const job = { operation: 'project', source, options, version: this.settings.reportedVersion } as const;
    try {
      await this.compiling.compileFor('explorer', job);
      return { refusal: null };
    } catch (error) {
      if (error instanceof ServiceError) return { refusal: error.message };
      throw error;
    }
  }

  @HandlesDevelopmentRequest('failure-names')
  failureNames({
    facts,
  }: DevelopmentRequests['failure-names']['request']): DevelopmentRequests['failure-names']['reply'] {
    return this.names.ofFailure(facts);
  }
}

@Module({})
export class DevelopmentModule {
  /** Nothing without ports: other networks do not answer. */
  static of(ports: DevelopmentPorts | undefined): DynamicModule[] {
    if (!ports) return [];
    const providers = [{ provide: developmentPorts, useValue: ports }];
    return [{ module: DevelopmentModule, imports: [ContractsModule], controllers: [DevelopmentHandlers], providers }];
  }
}
