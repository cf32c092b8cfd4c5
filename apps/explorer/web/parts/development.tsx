import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go } from '../router.js';
import { accounts, hasDevelopmentTools, sendTestPayment } from '../store/development.js';
import { failureOf, useAnswer } from '../store/loaded.js';
import { network, polledNews, watch } from '../store/network.js';
import { type DevelopmentAccount } from '../store/page-state.js';
import { texts } from '../texts.js';
import { AddressLink } from './links.js';
import { useSlowly } from './use-slowly.js';
import { Amount } from './values.js';

const Account = ({ account: { address } }: { readonly account: DevelopmentAccount }) => {
  useEffect(() => watch(address), [address]);
  const { touched, snapshots } = network.value;
  const version = useSlowly([touched.get(address), snapshots, polledNews.value].join());
  const { value } = useAnswer<{ readonly balance: string }>(`addresses/${address}/balance`, version);
  return (
    <li>
      <AddressLink id={address} />
      {value === undefined ? <span class="quiet">…</span> : <Amount amount={BigInt(value.balance)} />}
    </li>
  );
};

const PayButton = () => {
  const words = texts.development;
  const isPaying = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const pay = async (): Promise<void> => {
    isPaying.value = true;
    problem.value = undefined;
    try {
      go(`tx/${await sendTestPayment()}`);
    } catch (error) {
      problem.value = failureOf(error).message;
    }
    isPaying.value = false;
  };
  return (
    <div class="pay">
      <button type="button" class="button primary" disabled={isPaying.value} onClick={() => void pay()}>
        {isPaying.value ? words.paying : words.pay}
      </button>
      {problem.value !== undefined && <p role="alert">{words.failed(problem.value)}</p>}
    </div>
  );
};

/** For the person whose network this is: accounts to pay with, and a payment to look at. Elsewhere there is none. */
export const DevelopmentCard = () => {
  const words = texts.development;
  if (!hasDevelopmentTools) return null;
  return (
    <section class="card development">
      <div>
        <h2>{words.title}</h2>
        <p class="quiet">{words.hint}</p>
      </div>
      <ul>
        {accounts.map((account) => (
          <Account key={account.address} account={account} />
        ))}
      </ul>
      <PayButton />
    </section>
  );
};
