import { required, text } from '@shardnode/http';
import { path } from '../endpoint/parameters.js';

/** A name that is not allowed is a wallet that does not exist: the wallet-service says so (protocol 07 §3.1). */
export const walletName = () => required(text('Name of the wallet', 'exchange-hot-1'));
export const walletPath = () => path({ wallet_name: walletName() });

/** What all endpoints of wallets have in common. */
export const walletEndpoint = { tag: 'Wallets', hasSecrets: true } as const;
