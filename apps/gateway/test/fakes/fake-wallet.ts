import { Controller, Inject } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { type BusNetwork } from '@shardnode/core/bus';
import { createMetrics, type Logger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import { HandlesWalletRequest, walletRouting, type WalletRequestName, type WalletRequests } from '@shardnode/messages';

type Request<Name extends WalletRequestName> = WalletRequests[Name]['request'];
type Reply<Name extends WalletRequestName> = WalletRequests[Name]['reply'];

export type WalletScript = {
  [Name in WalletRequestName]?: (request: Request<Name>) => Reply<Name> | Promise<Reply<Name>>;
};

const scriptToken = Symbol('script');

@Controller()
class FakeWalletRpc {
  constructor(@Inject(scriptToken) private readonly script: WalletScript) {}

  private answer<Name extends WalletRequestName>(name: Name, request: Request<Name>): Promise<Reply<Name>> {
    const handler = this.script[name] as ((request: Request<Name>) => Reply<Name> | Promise<Reply<Name>>) | undefined;
    if (!handler) {
      const resource = (request as { walletName?: string }).walletName ?? name;
      return Promise.reject(new ServiceError('not-found', 'WalletNotFound', `${resource} not found`, { resource }));
    }
    return Promise.resolve().then(() => handler(request));
  }

  @HandlesWalletRequest('health')
  health(request: Request<'health'>): Promise<Reply<'health'>> {
    return this.answer('health', request);
  }
  @HandlesWalletRequest('create')
  create(request: Request<'create'>): Promise<Reply<'create'>> {
    return this.answer('create', request);
  }
  @HandlesWalletRequest('restore')
  restore(request: Request<'restore'>): Promise<Reply<'restore'>> {
    return this.answer('restore', request);
  }
  @HandlesWalletRequest('list')
  list(request: Request<'list'>): Promise<Reply<'list'>> {
    return this.answer('list', request);
  }
  @HandlesWalletRequest('get')
  get(request: Request<'get'>): Promise<Reply<'get'>> {
    return this.answer('get', request);
  }
  @HandlesWalletRequest('lock')
  lock(request: Request<'lock'>): Promise<Reply<'lock'>> {
    return this.answer('lock', request);
  }
  @HandlesWalletRequest('unlock')
  unlock(request: Request<'unlock'>): Promise<Reply<'unlock'>> {
    return this.answer('unlock', request);
  }
  @HandlesWalletRequest('delete')
  delete(request: Request<'delete'>): Promise<Reply<'delete'>> {
    return this.answer('delete', request);
  }
  @HandlesWalletRequest('addresses')
  addresses(request: Request<'addresses'>): Promise<Reply<'addresses'>> {
    return this.answer('addresses', request);
  }
  @HandlesWalletRequest('address-info')
  addressInfo(request: Request<'address-info'>): Promise<Reply<'address-info'>> {
    return this.answer('address-info', request);
  }
  @HandlesWalletRequest('balances')
  balances(request: Request<'balances'>): Promise<Reply<'balances'>> {
    return this.answer('balances', request);
  }
  @HandlesWalletRequest('sign')
  sign(request: Request<'sign'>): Promise<Reply<'sign'>> {
    return this.answer('sign', request);
  }
  @HandlesWalletRequest('transfer')
  transfer(request: Request<'transfer'>): Promise<Reply<'transfer'>> {
    return this.answer('transfer', request);
  }
  @HandlesWalletRequest('sweep-active-address')
  sweepActiveAddress(request: Request<'sweep-active-address'>): Promise<Reply<'sweep-active-address'>> {
    return this.answer('sweep-active-address', request);
  }
  @HandlesWalletRequest('sweep-all-addresses')
  sweepAllAddresses(request: Request<'sweep-all-addresses'>): Promise<Reply<'sweep-all-addresses'>> {
    return this.answer('sweep-all-addresses', request);
  }
  @HandlesWalletRequest('derive-next-address')
  deriveNextAddress(request: Request<'derive-next-address'>): Promise<Reply<'derive-next-address'>> {
    return this.answer('derive-next-address', request);
  }
  @HandlesWalletRequest('change-active-address')
  changeActiveAddress(request: Request<'change-active-address'>): Promise<Reply<'change-active-address'>> {
    return this.answer('change-active-address', request);
  }
  @HandlesWalletRequest('miner-addresses')
  minerAddresses(request: Request<'miner-addresses'>): Promise<Reply<'miner-addresses'>> {
    return this.answer('miner-addresses', request);
  }
  @HandlesWalletRequest('derive-next-miner-addresses')
  deriveNextMinerAddresses(
    request: Request<'derive-next-miner-addresses'>,
  ): Promise<Reply<'derive-next-miner-addresses'>> {
    return this.answer('derive-next-miner-addresses', request);
  }
  @HandlesWalletRequest('reveal-mnemonic')
  revealMnemonic(request: Request<'reveal-mnemonic'>): Promise<Reply<'reveal-mnemonic'>> {
    return this.answer('reveal-mnemonic', request);
  }
}

export const createFakeWallet = async (
  network: BusNetwork,
  { ns, script, logger }: { ns: string; script: WalletScript; logger: Logger },
): Promise<RunningService> => {
  const connection = await network.join({
    sender: { service: 'wallet-service' },
    routing: walletRouting(ns),
    logger,
  });
  return createService({
    name: 'wallet-service',
    module: { controllers: [FakeWalletRpc], providers: [{ provide: scriptToken, useValue: script }] },
    http: { host: '127.0.0.1', port: 0 },
    server: connection.server,
    logger,
    metrics: createMetrics({ service: 'wallet-service' }),
    afterClosing: () => connection.close(),
  });
};
