import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { softwareVersion } from '@shardnode/core/observability';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { SyncMonitor } from '../synced/sync-monitor.js';
import { ChainParams, NodeInfo, NodeVersion, SelfClique } from './infos.schemas.js';

/** Clients expect a public key as the id of a cluster; this one has no key, so the id follows from the network. */
const cliqueIdOf = (networkId: number): string =>
  `02${blake2bHash(new TextEncoder().encode(`cluster of network ${networkId}`))}`;

/** The port of a mining interface (protocol 07 §1.14): there is none, and clients expect a number. */
const minerPortOf = (port: number): number => Math.max(0, port - 2_000);

/** This node and its network (protocol 07 §5). */
@ApiTags('Infos')
@Controller('infos')
export class InfosController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly sync: SyncMonitor,
  ) {}

  @Operation({ role: 'read', summary: 'Build of this node', answer: NodeInfo })
  @Get('node')
  node(): z.output<typeof NodeInfo> {
    const { commit } = this.settings;
    return { buildInfo: { releaseVersion: softwareVersion, commit }, upnp: false, externalAddress: null };
  }

  @Operation({
    role: 'read',
    summary: 'Version of the API',
    description: 'Tells which calls there are. GET /infos/node has the version of the software.',
    answer: NodeVersion,
  })
  @Get('version')
  version(): z.output<typeof NodeVersion> {
    return { version: this.settings.reportedVersion };
  }

  @Operation({ role: 'read', summary: 'Parameters of the chains', answer: ChainParams })
  @Get('chain-params')
  chainParams(): z.output<typeof ChainParams> {
    const { networkId, numZeros, groups } = this.settings.network;
    return { networkId, numZerosAtLeastInHash: numZeros, groupNumPerBroker: groups, groups };
  }

  @Operation({ role: 'read', summary: 'This cluster and whether it has caught up', answer: SelfClique })
  @Get('self-clique')
  async selfClique(): Promise<z.output<typeof SelfClique>> {
    const { host, port, pushPort } = this.settings.listening();
    const { ready, synced } = await this.sync.state();
    return {
      cliqueId: cliqueIdOf(this.settings.network.networkId),
      nodes: [{ address: host, restPort: port, wsPort: pushPort, minerApiPort: minerPortOf(port) }],
      selfReady: ready,
      synced,
    };
  }
}
