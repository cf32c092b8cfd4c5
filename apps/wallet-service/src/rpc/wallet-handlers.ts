import { Controller } from '@nestjs/common';
import {
  HandlesWalletRequest,
  type AddressInfoItem,
  type WalletRequestName,
  type WalletRequests,
} from '@shardnode/messages';
import { type BusContext } from '@shardnode/core/bus';
import { bytesToHex, parseHex } from '@shardnode/protocol/encoding';
import { type WalletAddress } from '../keys/unlocked-wallet.js';
import { Payments } from '../payments.js';
import { Sweeps } from '../sweeps.js';
import { invalidData } from '../wallet-errors.js';
import { Wallets } from '../wallets.js';

type Request<Name extends WalletRequestName> = WalletRequests[Name]['request'];
type Reply<Name extends WalletRequestName> = Promise<WalletRequests[Name]['reply']>;

const infoOf = ({ address, publicKey, group, path }: WalletAddress): AddressInfoItem => ({
  address,
  publicKey: bytesToHex(publicKey),
  group,
  path,
});

/** Handlers of the wallet-service's requests on the bus: thin, one method per request. */
@Controller()
export class WalletHandlers {
  constructor(
    private readonly wallets: Wallets,
    private readonly payments: Payments,
    private readonly sweeps: Sweeps,
  ) {}

  @HandlesWalletRequest('create')
  create(request: Request<'create'>): Reply<'create'> {
    return this.wallets.create(request);
  }

  @HandlesWalletRequest('restore')
  restore(request: Request<'restore'>): Reply<'restore'> {
    return this.wallets.restore(request);
  }

  @HandlesWalletRequest('list')
  async list(): Reply<'list'> {
    return { wallets: await this.wallets.list() };
  }

  @HandlesWalletRequest('get')
  get({ walletName }: Request<'get'>): Reply<'get'> {
    return this.wallets.status(walletName);
  }

  @HandlesWalletRequest('lock')
  async lock({ walletName }: Request<'lock'>): Reply<'lock'> {
    await this.wallets.lock(walletName);
    return {};
  }

  @HandlesWalletRequest('unlock')
  async unlock({ walletName, password, passphrase }: Request<'unlock'>): Reply<'unlock'> {
    await this.wallets.unlock(walletName, password, passphrase);
    return {};
  }

  @HandlesWalletRequest('delete')
  async delete({ walletName, password }: Request<'delete'>): Reply<'delete'> {
    await this.wallets.delete(walletName, password);
    return {};
  }

  @HandlesWalletRequest('addresses')
  async addresses({ walletName }: Request<'addresses'>): Reply<'addresses'> {
    const wallet = await this.wallets.use(walletName);
    return { activeAddress: wallet.active.address, addresses: wallet.addresses.map(infoOf) };
  }

  @HandlesWalletRequest('address-info')
  async addressInfo({ walletName, address }: Request<'address-info'>): Reply<'address-info'> {
    return infoOf((await this.wallets.use(walletName)).find(address));
  }

  @HandlesWalletRequest('balances')
  async balances({ walletName }: Request<'balances'>): Reply<'balances'> {
    return this.payments.balances(await this.wallets.use(walletName));
  }

  @HandlesWalletRequest('sign')
  async sign({ walletName, data }: Request<'sign'>): Reply<'sign'> {
    const wallet = await this.wallets.use(walletName);
    const message = parseHex(data);
    if (message?.length !== 32) throw invalidData(message?.length);
    return { signature: bytesToHex(wallet.sign(wallet.active.index, message)) };
  }

  @HandlesWalletRequest('transfer')
  async transfer(request: Request<'transfer'>, { deadlineMs }: BusContext): Reply<'transfer'> {
    return this.payments.transfer(await this.wallets.use(request.walletName), request, deadlineMs);
  }

  @HandlesWalletRequest('sweep-active-address')
  async sweepActiveAddress(
    request: Request<'sweep-active-address'>,
    { deadlineMs }: BusContext,
  ): Reply<'sweep-active-address'> {
    const wallet = await this.wallets.use(request.walletName);
    return this.sweeps.sweepActive(wallet, request, deadlineMs);
  }

  @HandlesWalletRequest('sweep-all-addresses')
  async sweepAllAddresses(
    request: Request<'sweep-all-addresses'>,
    { deadlineMs }: BusContext,
  ): Reply<'sweep-all-addresses'> {
    const wallet = await this.wallets.use(request.walletName);
    return this.sweeps.sweepAll(wallet, request, deadlineMs);
  }

  @HandlesWalletRequest('derive-next-address')
  async deriveNextAddress({ walletName, group }: Request<'derive-next-address'>): Reply<'derive-next-address'> {
    return infoOf(await this.wallets.deriveNext(walletName, group));
  }

  @HandlesWalletRequest('change-active-address')
  async changeActiveAddress({ walletName, address }: Request<'change-active-address'>): Reply<'change-active-address'> {
    await this.wallets.changeActive(walletName, address);
    return {};
  }

  @HandlesWalletRequest('miner-addresses')
  async minerAddresses({ walletName }: Request<'miner-addresses'>): Reply<'miner-addresses'> {
    const sets = await this.wallets.minerSets(walletName);
    return { sets: sets.map((addresses) => ({ addresses: addresses.map(infoOf) })) };
  }

  @HandlesWalletRequest('derive-next-miner-addresses')
  async deriveNextMinerAddresses({
    walletName,
  }: Request<'derive-next-miner-addresses'>): Reply<'derive-next-miner-addresses'> {
    return { addresses: (await this.wallets.deriveNextMinerSet(walletName)).map(infoOf) };
  }

  @HandlesWalletRequest('reveal-mnemonic')
  async revealMnemonic({ walletName, password }: Request<'reveal-mnemonic'>): Reply<'reveal-mnemonic'> {
    return { mnemonic: await this.wallets.reveal(walletName, password) };
  }
}
