import { buildingRefusals, intakeRefusals, scriptHex, validationRefusals } from '@shardnode/http';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { walletEndpoint, walletPath } from './wallet-endpoint.js';

interface SweepOfWallet {
  readonly name: 'sweep-active-address' | 'sweep-all-addresses';
  readonly summary: string;
}

const sweeps: readonly SweepOfWallet[] = [
  { name: 'sweep-active-address', summary: 'Send everything that the active address has to one address' },
  { name: 'sweep-all-addresses', summary: 'Send everything that each address of a wallet has to one address' },
];

/** Protocol 07 §4.12 and §4.13. */
export const walletSweepEndpoints = ({ requests, answers, profile }: Edge): Endpoint[] =>
  sweeps.map(({ name, summary }) =>
    endpoint(
      {
        ...walletEndpoint,
        method: 'POST',
        path: `/wallets/{wallet_name}/${name}`,
        summary,
        description:
          'Builds, signs and submits one transaction for each 128 outputs, one after another; the answer names the last one first. The first failure stops: what was submitted before stays. An address with very many outputs is swept as far as a minute goes: ask again for the rest.',
        params: walletPath(),
        body: requests.wallet.sweep,
        answer: answers.wallet.swept,
        codes: ['WalletNotFound', 'WalletLocked', ...buildingRefusals, ...validationRefusals, ...intakeRefusals],
      },
      (plan) =>
        plan.wallet(name, {
          payload: ({ params, body: { toAddress, lockTime, gasAmount, gasPrice } }) => ({
            walletName: params.wallet_name,
            destination: scriptHex(toAddress.lockupScript),
            lockTime: lockTime?.toString(),
            gasAmount,
            gasPrice: gasPrice?.toString(),
            unminable: profile.unminable,
          }),
          form: ({ results }) => ({
            results: results.map(({ txId, fromGroup, toGroup }) => ({ txId, fromGroup, toGroup })),
          }),
        }),
    ),
  );
