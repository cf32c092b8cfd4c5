import { Controller, Inject } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { type BusNetwork } from '@shardnode/core/bus';
import { createMetrics, type Logger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import { groupRouting, HandlesGroupRequest, type GroupRequestName, type GroupRequests } from '@shardnode/messages';

type Reply<Name extends GroupRequestName> = GroupRequests[Name]['reply'];

/** What a fake group-node answers: a function for each request that a test expects; the others say `not-found`. */
export type GroupScript = {
  [Name in GroupRequestName]?: (
    request: GroupRequests[Name]['request'],
    group: number,
  ) => Reply<Name> | Promise<Reply<Name>>;
};

const groupToken = Symbol('group');
const scriptToken = Symbol('script');

@Controller()
class FakeGroupRpc {
  constructor(
    @Inject(groupToken) private readonly group: number,
    @Inject(scriptToken) private readonly script: GroupScript,
  ) {}

  private answer<Name extends GroupRequestName>(
    name: Name,
    request: GroupRequests[Name]['request'],
  ): Promise<Reply<Name>> {
    const handler = this.script[name] as
      ((request: GroupRequests[Name]['request'], group: number) => Reply<Name> | Promise<Reply<Name>>) | undefined;
    if (!handler) return Promise.reject(new ServiceError('not-found', 'NotFound', `${name} has nothing`));
    return Promise.resolve().then(() => handler(request, this.group));
  }

  @HandlesGroupRequest('read.node.status')
  status(request: GroupRequests['read.node.status']['request']): Promise<Reply<'read.node.status'>> {
    return this.answer('read.node.status', request);
  }
  @HandlesGroupRequest('read.node.report')
  report(request: GroupRequests['read.node.report']['request']): Promise<Reply<'read.node.report'>> {
    return this.answer('read.node.report', request);
  }
  @HandlesGroupRequest('read.chain.info')
  info(request: GroupRequests['read.chain.info']['request']): Promise<Reply<'read.chain.info'>> {
    return this.answer('read.chain.info', request);
  }
  @HandlesGroupRequest('read.chain.hashes')
  hashes(request: GroupRequests['read.chain.hashes']['request']): Promise<Reply<'read.chain.hashes'>> {
    return this.answer('read.chain.hashes', request);
  }
  @HandlesGroupRequest('read.chain.block')
  block(request: GroupRequests['read.chain.block']['request']): Promise<Reply<'read.chain.block'>> {
    return this.answer('read.chain.block', request);
  }
  @HandlesGroupRequest('read.chain.header')
  header(request: GroupRequests['read.chain.header']['request']): Promise<Reply<'read.chain.header'>> {
    return this.answer('read.chain.header', request);
  }
  @HandlesGroupRequest('read.chain.is-canonical')
  isCanonical(request: GroupRequests['read.chain.is-canonical']['request']): Promise<Reply<'read.chain.is-canonical'>> {
    return this.answer('read.chain.is-canonical', request);
  }
  @HandlesGroupRequest('read.chain.blocks')
  blocks(request: GroupRequests['read.chain.blocks']['request']): Promise<Reply<'read.chain.blocks'>> {
    return this.answer('read.chain.blocks', request);
  }
  @HandlesGroupRequest('read.transaction.status')
  transactionStatus(
    request: GroupRequests['read.transaction.status']['request'],
  ): Promise<Reply<'read.transaction.status'>> {
    return this.answer('read.transaction.status', request);
  }
  @HandlesGroupRequest('read.transaction.details')
  details(request: GroupRequests['read.transaction.details']['request']): Promise<Reply<'read.transaction.details'>> {
    return this.answer('read.transaction.details', request);
  }
  @HandlesGroupRequest('read.address.balance')
  balance(request: GroupRequests['read.address.balance']['request']): Promise<Reply<'read.address.balance'>> {
    return this.answer('read.address.balance', request);
  }
  @HandlesGroupRequest('read.address.utxos')
  utxos(request: GroupRequests['read.address.utxos']['request']): Promise<Reply<'read.address.utxos'>> {
    return this.answer('read.address.utxos', request);
  }
  @HandlesGroupRequest('read.address.walk')
  walk(request: GroupRequests['read.address.walk']['request']): Promise<Reply<'read.address.walk'>> {
    return this.answer('read.address.walk', request);
  }
  @HandlesGroupRequest('read.building.transfer')
  build(request: GroupRequests['read.building.transfer']['request']): Promise<Reply<'read.building.transfer'>> {
    return this.answer('read.building.transfer', request);
  }
  @HandlesGroupRequest('read.building.sweep')
  sweep(request: GroupRequests['read.building.sweep']['request']): Promise<Reply<'read.building.sweep'>> {
    return this.answer('read.building.sweep', request);
  }
  @HandlesGroupRequest('read.building.many-senders')
  manySenders(
    request: GroupRequests['read.building.many-senders']['request'],
  ): Promise<Reply<'read.building.many-senders'>> {
    return this.answer('read.building.many-senders', request);
  }
  @HandlesGroupRequest('read.contract.stored')
  contractState(request: GroupRequests['read.contract.stored']['request']): Promise<Reply<'read.contract.stored'>> {
    return this.answer('read.contract.stored', request);
  }
  @HandlesGroupRequest('read.contract.asset')
  contractAsset(request: GroupRequests['read.contract.asset']['request']): Promise<Reply<'read.contract.asset'>> {
    return this.answer('read.contract.asset', request);
  }
  @HandlesGroupRequest('read.contract.test')
  testContract(request: GroupRequests['read.contract.test']['request']): Promise<Reply<'read.contract.test'>> {
    return this.answer('read.contract.test', request);
  }
  @HandlesGroupRequest('read.contract.call')
  callContract(request: GroupRequests['read.contract.call']['request']): Promise<Reply<'read.contract.call'>> {
    return this.answer('read.contract.call', request);
  }
  @HandlesGroupRequest('read.events.contract')
  eventsOfContract(request: GroupRequests['read.events.contract']['request']): Promise<Reply<'read.events.contract'>> {
    return this.answer('read.events.contract', request);
  }
  @HandlesGroupRequest('read.events.count')
  eventCount(request: GroupRequests['read.events.count']['request']): Promise<Reply<'read.events.count'>> {
    return this.answer('read.events.count', request);
  }
  @HandlesGroupRequest('read.events.transaction')
  eventsOfTransaction(
    request: GroupRequests['read.events.transaction']['request'],
  ): Promise<Reply<'read.events.transaction'>> {
    return this.answer('read.events.transaction', request);
  }
  @HandlesGroupRequest('read.events.block')
  eventsOfBlock(request: GroupRequests['read.events.block']['request']): Promise<Reply<'read.events.block'>> {
    return this.answer('read.events.block', request);
  }
  @HandlesGroupRequest('read.building.execute-script')
  executeScript(
    request: GroupRequests['read.building.execute-script']['request'],
  ): Promise<Reply<'read.building.execute-script'>> {
    return this.answer('read.building.execute-script', request);
  }
  @HandlesGroupRequest('read.building.deploy-contract')
  deployContract(
    request: GroupRequests['read.building.deploy-contract']['request'],
  ): Promise<Reply<'read.building.deploy-contract'>> {
    return this.answer('read.building.deploy-contract', request);
  }
  @HandlesGroupRequest('read.view.includes')
  includes(request: GroupRequests['read.view.includes']['request']): Promise<Reply<'read.view.includes'>> {
    return this.answer('read.view.includes', request);
  }
  @HandlesGroupRequest('command.mempool.submit')
  submit(request: GroupRequests['command.mempool.submit']['request']): Promise<Reply<'command.mempool.submit'>> {
    return this.answer('command.mempool.submit', request);
  }
  @HandlesGroupRequest('command.mining.mine-one')
  mineOne(request: GroupRequests['command.mining.mine-one']['request']): Promise<Reply<'command.mining.mine-one'>> {
    return this.answer('command.mining.mine-one', request);
  }
  @HandlesGroupRequest('read.chain.work')
  work(request: GroupRequests['read.chain.work']['request']): Promise<Reply<'read.chain.work'>> {
    return this.answer('read.chain.work', request);
  }
  @HandlesGroupRequest('read.chain.difficulty')
  difficulty(request: GroupRequests['read.chain.difficulty']['request']): Promise<Reply<'read.chain.difficulty'>> {
    return this.answer('read.chain.difficulty', request);
  }
  @HandlesGroupRequest('read.mempool.list')
  pending(request: GroupRequests['read.mempool.list']['request']): Promise<Reply<'read.mempool.list'>> {
    return this.answer('read.mempool.list', request);
  }
  @HandlesGroupRequest('read.mining.addresses')
  minerAddresses(request: GroupRequests['read.mining.addresses']['request']): Promise<Reply<'read.mining.addresses'>> {
    return this.answer('read.mining.addresses', request);
  }
  @HandlesGroupRequest('command.mempool.rebroadcast')
  rebroadcast(
    request: GroupRequests['command.mempool.rebroadcast']['request'],
  ): Promise<Reply<'command.mempool.rebroadcast'>> {
    return this.answer('command.mempool.rebroadcast', request);
  }
  @HandlesGroupRequest('command.mempool.validate')
  validatePool(
    request: GroupRequests['command.mempool.validate']['request'],
  ): Promise<Reply<'command.mempool.validate'>> {
    return this.answer('command.mempool.validate', request);
  }
  @HandlesGroupRequest('command.mempool.clear')
  clearPool(request: GroupRequests['command.mempool.clear']['request']): Promise<Reply<'command.mempool.clear'>> {
    return this.answer('command.mempool.clear', request);
  }
  @HandlesGroupRequest('command.mining.start')
  startMining(request: GroupRequests['command.mining.start']['request']): Promise<Reply<'command.mining.start'>> {
    return this.answer('command.mining.start', request);
  }
  @HandlesGroupRequest('command.mining.stop')
  stopMining(request: GroupRequests['command.mining.stop']['request']): Promise<Reply<'command.mining.stop'>> {
    return this.answer('command.mining.stop', request);
  }
  @HandlesGroupRequest('command.mining.set-addresses')
  setMinerAddresses(
    request: GroupRequests['command.mining.set-addresses']['request'],
  ): Promise<Reply<'command.mining.set-addresses'>> {
    return this.answer('command.mining.set-addresses', request);
  }
  @HandlesGroupRequest('command.chain.check-index')
  checkIndex(
    request: GroupRequests['command.chain.check-index']['request'],
  ): Promise<Reply<'command.chain.check-index'>> {
    return this.answer('command.chain.check-index', request);
  }
}

export const createFakeGroup = async (
  network: BusNetwork,
  {
    ns,
    group,
    groups,
    script,
    logger,
  }: { ns: string; group: number; groups: number; script: GroupScript; logger: Logger },
): Promise<RunningService> => {
  const connection = await network.join({
    sender: { service: 'group-node', member: group },
    routing: groupRouting({ ns, group, groups }),
    logger,
  });
  return createService({
    name: `group-node-${group}`,
    module: {
      controllers: [FakeGroupRpc],
      providers: [
        { provide: groupToken, useValue: group },
        { provide: scriptToken, useValue: script },
      ],
    },
    http: { host: '127.0.0.1', port: 0 },
    server: connection.server,
    logger,
    metrics: createMetrics({ service: `group-node-${group}` }),
    afterClosing: () => connection.close(),
  });
};
