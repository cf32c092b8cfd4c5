import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { Operation } from '../operations/operation.js';
import {
  ConnectedPeers,
  DiscoveredPeers,
  DiscoveryAction,
  MisbehaviorAction,
  Misbehaviors,
  UnreachablePeers,
} from './infos.schemas.js';
import { PeerBook } from './peer-book.js';

/** Other clusters, and their marks by operators (protocol 07 §5). */
@ApiTags('Infos')
@Controller('infos')
export class PeersController {
  constructor(private readonly peerBook: PeerBook) {}

  @Operation({
    role: 'read',
    summary: 'Connected peers of other clusters',
    description: 'Always empty: the services of this cluster speak to each other alone.',
    answer: ConnectedPeers,
  })
  @Get('inter-clique-peer-info')
  connected(): z.output<typeof ConnectedPeers> {
    return [];
  }

  @Operation({
    role: 'read',
    summary: 'Known peers',
    description: 'Always empty: the services of this cluster speak to each other alone.',
    answer: DiscoveredPeers,
  })
  @Get('discovered-neighbors')
  discovered(): z.output<typeof DiscoveredPeers> {
    return [];
  }

  @Operation({ role: 'read', summary: 'Banned peers', answer: Misbehaviors })
  @Get('misbehaviors')
  async misbehaviors(): Promise<z.output<typeof Misbehaviors>> {
    const bans = await this.peerBook.bans();
    return bans.map(({ peer, until }) => ({ peer, status: { type: 'Banned', until } }));
  }

  @Operation({
    role: 'operate',
    summary: 'Ban peers, or end their bans',
    description: 'A ban lasts a day. Bans are remembered, and have no effect as long as there are no peers.',
  })
  @Post('misbehaviors')
  banOrUnban(@Body({ schema: MisbehaviorAction }) { type, peers }: z.output<typeof MisbehaviorAction>): Promise<void> {
    return type === 'Ban' ? this.peerBook.ban(peers) : this.peerBook.unban(peers);
  }

  @Operation({ role: 'read', summary: 'Peers that cannot be reached', answer: UnreachablePeers })
  @Get('unreachable')
  unreachable(): Promise<z.output<typeof UnreachablePeers>> {
    return this.peerBook.unreachable();
  }

  @Operation({ role: 'operate', summary: 'Report which peers can be reached' })
  @Post('discovery')
  markReachability(
    @Body({ schema: DiscoveryAction }) { type, peers }: z.output<typeof DiscoveryAction>,
  ): Promise<void> {
    return type === 'Unreachable' ? this.peerBook.markUnreachable(peers) : this.peerBook.markReachable(peers);
  }
}
