import { type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { addressEndpoints } from './addresses.js';
import { blockflowEndpoints } from './blockflow.js';
import { contractEndpoints } from './contracts.js';
import { contractRunEndpoints } from './contract-runs.js';
import { eventEndpoints } from './events.js';
import { hashRateEndpoints } from './hashrates.js';
import { infoEndpoints } from './infos.js';
import { manySendersEndpoints } from './many-senders.js';
import { mempoolEndpoints } from './mempool.js';
import { minerEndpoints } from './miners.js';
import { multisigEndpoints } from './multisig.js';
import { peerEndpoints } from './peers.js';
import { utilityEndpoints } from './signatures-and-targets.js';
import { scriptEndpoints } from './script-transactions.js';
import { sweepEndpoints } from './sweeps.js';
import { transactionEndpoints } from './transactions.js';
import { minerWalletEndpoints } from './miner-wallets.js';
import { walletEndpoints } from './wallets.js';
import { walletSweepEndpoints } from './wallet-sweeps.js';

/** Every endpoint of the API, in the order of protocol 07. */
export const allEndpoints = (edge: Edge): Endpoint[] => [
  ...walletEndpoints(edge),
  ...walletSweepEndpoints(edge),
  ...minerWalletEndpoints(edge),
  ...infoEndpoints(edge),
  ...peerEndpoints(edge),
  ...hashRateEndpoints(edge),
  ...addressEndpoints(edge),
  ...blockflowEndpoints(edge),
  ...transactionEndpoints(edge),
  ...manySendersEndpoints(edge),
  ...sweepEndpoints(edge),
  ...multisigEndpoints(edge),
  ...contractEndpoints(edge),
  ...scriptEndpoints(edge),
  ...contractRunEndpoints(edge),
  ...eventEndpoints(edge),
  ...mempoolEndpoints(edge),
  ...minerEndpoints(edge),
  ...utilityEndpoints(edge),
];
