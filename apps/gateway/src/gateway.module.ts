import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { type Cache } from '@shardnode/core/cache';
import { Clock } from '@shardnode/core/lifecycle';
import { type ServiceHealth } from '@shardnode/core/service';
import { GroupClient, WalletClient } from '@shardnode/messages';
import { BlockflowModule } from './blockflow/blockflow.module.js';
import { ContractsModule } from './contracts/contracts.module.js';
import { EventsModule } from './events/events.module.js';
import { InfosModule } from './infos/infos.module.js';
import { MempoolModule } from './mempool/mempool.module.js';
import { MinersModule } from './miners/miners.module.js';
import { MultisigModule } from './multisig/multisig.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';
import { UtilsModule } from './utils/utils.module.js';
import { WalletsModule } from './wallets/wallets.module.js';
import { AddressesModule } from './addresses/addresses.module.js';
import { SubmitQueues } from './admission/submit-queues.js';
import { NearFirst } from './caches/near-first.js';
import { sharedCache } from './caches/shared-cache.js';
import { UnchangingAnswers } from './caches/unchanging-answers.js';
import { CompiledNames } from './contracts/compiling/compiled-names.js';
import { ownHealth } from './cluster/cluster-view.js';
import { ClusterModule } from './cluster/cluster.module.js';
import { DevelopmentModule, type DevelopmentPorts } from './development/development.module.js';
import { apiDescription, type DescribeApi } from './docs/api-description.js';
import { DocsModule } from './docs/docs.module.js';
import { LargeAnswers } from './large-answers/large-answers.js';
import { RequestValidationPipe } from './operations/request-validation.pipe.js';
import { ApiSettings } from './settings/api-settings.js';
import { SyncMonitor } from './synced/sync-monitor.js';
import { Builds } from './transactions/builds.js';
import { TransactionPlaces } from './transactions/transaction-places.js';

/** Ports that the process opens for the gateway. */
export interface OpenedPorts {
  readonly settings: ApiSettings;
  readonly groups: GroupClient;
  readonly builds: Builds;
  readonly wallet: WalletClient;
  readonly clock: Clock;
  readonly caches: NearFirst;
  readonly shared: Cache | undefined;
  readonly sync: SyncMonitor;
  readonly names: CompiledNames;
  readonly health: () => Promise<ServiceHealth>;
  readonly describe: DescribeApi;
}

const shared = [LargeAnswers, SubmitQueues, UnchangingAnswers, TransactionPlaces];

/** Providers that every area of the API may inject. */
@Global()
@Module({})
class PortsModule {
  static of(ports: OpenedPorts): DynamicModule {
    const opened = [
      { provide: ApiSettings, useValue: ports.settings },
      { provide: GroupClient, useValue: ports.groups },
      { provide: Builds, useValue: ports.builds },
      { provide: WalletClient, useValue: ports.wallet },
      { provide: Clock, useValue: ports.clock },
      { provide: NearFirst, useValue: ports.caches },
      { provide: sharedCache, useValue: ports.shared },
      { provide: SyncMonitor, useValue: ports.sync },
      { provide: CompiledNames, useValue: ports.names },
      { provide: ownHealth, useValue: ports.health },
      { provide: apiDescription, useValue: ports.describe },
    ];
    return { module: PortsModule, providers: [...opened, ...shared], exports: [...opened, ...shared] };
  }
}

/** Areas that a gateway may be without. */
interface ChosenAreas {
  readonly walletEnabled: boolean;
  readonly development?: DevelopmentPorts | undefined;
}

/** The areas of the API, in the order of protocol 07. */
@Module({})
export class GatewayModule {
  static of(ports: OpenedPorts, { walletEnabled, development }: ChosenAreas): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        PortsModule.of(ports),
        ...(walletEnabled ? [WalletsModule] : []),
        InfosModule,
        AddressesModule,
        BlockflowModule,
        TransactionsModule,
        MultisigModule,
        ContractsModule,
        EventsModule,
        MempoolModule,
        MinersModule,
        UtilsModule,
        ClusterModule,
        DocsModule,
        ...DevelopmentModule.of(development),
      ],
      providers: [{ provide: APP_PIPE, useClass: RequestValidationPipe }],
    };
  }
}
