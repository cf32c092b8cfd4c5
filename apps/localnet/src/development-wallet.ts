import { isLoopback } from '@shardnode/core/hosts';
import { type BusConnection, type BusNetwork } from '@shardnode/core/bus';
import { ServiceError } from '@shardnode/core/errors';
import { type Service } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { walletClient, type WalletClient } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { lockupScriptCodec, oneCoin } from '@shardnode/protocol/primitives';
import { developmentMnemonic } from './development-accounts.js';

/** The wallet of the funded accounts of the development network, with which a newcomer can pay at once. */
export const developmentWallet = { name: 'dev', password: 'dev' } as const;

const walletName = developmentWallet.name;
const { password } = developmentWallet;

/** Restores the wallet with the addresses of all funded accounts; the first one is active. */
const restore = async (wallets: WalletClient): Promise<void> => {
  await wallets.request('restore', { walletName, password, mnemonic: developmentMnemonic });
  const accounts = developmentNetwork.allocations.map(({ lockupScript }) => addressOf(lockupScript));
  for (let derived = 1; derived < accounts.length; derived++) {
    await wallets.request('derive-next-address', { walletName });
  }
  await wallets.request('change-active-address', { walletName, address: accounts[0]! });
};

/** Unlocks the wallet, or restores it when it does not exist. */
const unlock = async (wallets: WalletClient): Promise<void> => {
  try {
    await wallets.request('unlock', { walletName, password });
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'WalletNotFound')) throw error;
    await restore(wallets);
  }
};

/**
 * Whether a network has the wallet: only where its mnemonic is public anyway, and only for this machine, because anyone
 * who reaches the API can spend from it.
 */
export const mayHaveDevelopmentWallet = (
  network: NetworkSettings,
  settings: { readonly HOST: string; readonly DEV_WALLET: boolean; readonly WALLET_ENABLED: boolean },
): boolean =>
  network === developmentNetwork && settings.DEV_WALLET && settings.WALLET_ENABLED && isLoopback(settings.HOST);

/** Of a test payment, attoCoin. */
const testAmount = oneCoin;

/**
 * Pays from the active address to the funded account of another group; the groups take turns.
 * @returns the id of the transaction
 */
const pay = async (wallets: WalletClient, turn: number): Promise<string> => {
  const { locked } = await wallets.request('get', { walletName });
  if (locked) await wallets.request('unlock', { walletName, password });
  const { activeAddress } = await wallets.request('addresses', { walletName });
  const others = developmentNetwork.allocations.filter(({ lockupScript }) => addressOf(lockupScript) !== activeAddress);
  const { lockupScript } = others[turn % others.length]!;
  const destination = {
    lockupScript: bytesToHex(encode(lockupScriptCodec, lockupScript)),
    amount: testAmount.toString(),
    tokens: [],
  };
  const payment = { walletName, destinations: [destination], gasFormula: 'document' } as const;
  return (await wallets.request('transfer', payment)).txId;
};

/** Opens the wallet while other services start. */
export interface DevelopmentWallet extends Service {
  /** Whether the wallet is unlocked, once that is known; false when it has another password. */
  readonly opened: Promise<boolean>;
  /**
   * Pays one coin to an account of another group, once started.
   * @returns the id of the transaction
   * @throws ServiceError of the wallet-service
   */
  readonly sendTestPayment: () => Promise<string>;
}

/** Start it after the wallet-service: its password takes a third of a second, on a thread of its own. */
export const openDevelopmentWallet = (
  bus: BusNetwork,
  { ns, logger }: { readonly ns: string; readonly logger: Logger },
): DevelopmentWallet => {
  let connection: BusConnection | undefined;
  let turn = 0;
  let opened = Promise.resolve(false);
  return {
    name: 'development-wallet',
    start: async () => {
      connection = await bus.join({ sender: { service: 'gateway' }, logger });
      opened = unlock(walletClient(connection.bus, { ns })).then(
        () => true,
        (err: unknown) => {
          logger.info({ err }, 'the development wallet was not unlocked');
          return false;
        },
      );
    },
    stop: async () => {
      await opened;
      await connection?.close();
    },
    get opened() {
      return opened;
    },
    sendTestPayment: async () => {
      if (connection === undefined) throw new Error('the development wallet was not started');
      return pay(walletClient(connection.bus, { ns }), turn++);
    },
  };
};
