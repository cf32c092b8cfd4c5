import { useEffect, useMemo } from 'preact/hooks';
import {
  type AddressInfo,
  type AddressOverview,
  type MempoolTransaction,
  type Transaction,
  type UtxoSummary,
} from '../store/forms.js';
import { useOlder } from '../store/list.js';
import { groupOfAddress } from '../store/address-group.js';
import { accountOf } from '../store/development.js';
import { answerOf, reload, useAnswer } from '../store/loaded.js';
import { coinSymbol, groups, network, polledNews, watch } from '../store/network.js';
import { pendingVersion } from '../store/network-state.js';
import { AddressEvents } from '../parts/address-events.js';
import { AddressHistory, pageLimit } from '../parts/address-history.js';
import { BalanceChart } from '../parts/balance-chart.js';
import { shortAmount } from '../parts/attocoins.js';
import { AddressBadge } from '../parts/address-badge.js';
import { Fact, Facts, Failure, StatePill } from '../parts/card.js';
import { ends, GroupBadge, groupClass, Link } from '../parts/links.js';
import { HeldNfts, HeldTokens, splitByKind } from '../parts/held-tokens.js';
import { count, utc } from '../parts/numbers.js';
import { QrButton } from '../parts/qr/qr-button.js';
import { chosenTab, Tabs } from '../parts/tabs.js';
import { useSlowly } from '../parts/use-slowly.js';
import { Utxos } from '../parts/utxos/utxos.js';
import { Age, Amount, Copy } from '../parts/values.js';
import { WatchSwitch } from '../parts/watching.js';
import { texts } from '../texts.js';
import { MissingPage } from './missing.js';
import { useTabTitle } from '../parts/page-title.js';

const tokenLimit = 100;

/** Changes when something may have happened at an address, or one of its pending transactions has left the mempools. */
const useVersion = (address: string, pending: readonly MempoolTransaction[]): string => {
  useEffect(() => watch(address), [address]);
  const { touched, snapshots } = network.value;
  const left = pendingVersion(
    network.value,
    pending.map(({ hash }) => hash),
  );
  return useSlowly([touched.get(address), snapshots, polledNews.value, left].join());
};

interface AddressFactsProps {
  readonly info: AddressInfo;
  readonly utxos: UtxoSummary | undefined;
  readonly group: number | undefined;
  readonly pending: number;
  /** When its newest transaction got its block, milliseconds since 1970. */
  readonly latest: number | undefined;
}

const AddressFacts = ({ info, utxos, group, pending, latest }: AddressFactsProps) => {
  const words = texts.address;
  const [balance, locked] = [BigInt(info.balance), BigInt(info.lockedBalance)];
  const free = shortAmount(balance - locked);
  const next = utxos?.nextUnlock;
  return (
    <Facts>
      <Fact name={words.balance} hint={locked === 0n ? words.nothingLocked : words.free(free, coinSymbol.value)}>
        <Amount amount={balance} />
      </Fact>
      {locked > 0n && (
        <Fact
          name={words.locked}
          hint={next && words.nextUnlock(shortAmount(BigInt(next.attoCoinAmount)), utc(next.lockTime))}
        >
          <Amount amount={locked} />
        </Fact>
      )}
      <Fact name={words.transactions} hint={pending > 0 ? words.waiting(pending) : undefined}>
        {count(info.txNumber)}
      </Fact>
      {group !== undefined && (
        <Fact name={words.group}>
          <GroupBadge group={group} />
        </Fact>
      )}
      {latest !== undefined && (
        <Fact name={words.latest}>
          <Age timestamp={latest} suffix=" ago" />
        </Fact>
      )}
    </Facts>
  );
};

/** What the page asks for, all with one request, and what follows from it. */
const useAddress = (address: string) => {
  const path = `addresses/${address}/overview`;
  const version = useVersion(address, answerOf<AddressOverview>(path).value?.pending ?? []);
  const { value: overview, failure } = useAnswer<AddressOverview>(path, version);
  const newest = useMemo(() => overview && { rows: overview.transactions, cursor: overview.nextCursor }, [overview]);
  const list = useOlder<Transaction>(`addresses/${address}/transactions?limit=${pageLimit}`, newest);
  const { info, utxos, tokens = [], pending: mempool = [] } = overview ?? {};
  const confirmed = new Set(list.rows.map(({ hash }) => hash));
  const pending = mempool.filter(({ hash }) => !confirmed.has(hash));
  const group = groupOfAddress(address, groups.value);
  return { address, version, path, info, failure, list, pending, utxos, balances: tokens, group };
};

type AddressAnswers = ReturnType<typeof useAddress>;

const Heading = ({ address }: AddressAnswers) => {
  const account = accountOf(address);
  return (
    <>
      <nav class="breadcrumb" aria-label={texts.breadcrumb}>
        <Link to="">{texts.frame.network}</Link> › {texts.address.title}
      </nav>
      <div class="subject">
        <h1>{account?.name ?? texts.address.title}</h1>
        {account !== undefined && <StatePill kind="plain">{texts.address.testAccount}</StatePill>}
        <AddressBadge address={address} />
      </div>
      <div class="full-id">
        {address} <Copy text={address} />
        <QrButton text={address} />
        <WatchSwitch address={address} />
      </div>
    </>
  );
};

const Pictures = ({ address, info, list, utxos, group }: AddressAnswers & { readonly info: AddressInfo }) => {
  const colour = group === undefined ? 'plain' : groupClass(group);
  // Genesis may be years away from the next one.
  const charted = list.rows.filter(({ blockHeight }) => blockHeight > 0);
  return (
    <div class="address-pictures">
      {utxos !== undefined && utxos.sizes.length > 0 && <Utxos summary={utxos} colour={colour} />}
      {charted.length > 0 && (
        <BalanceChart
          address={address}
          info={info}
          transactions={charted}
          areAll={list.more === undefined}
          colour={colour}
        />
      )}
    </div>
  );
};

const Contents = (answers: AddressAnswers & { readonly info: AddressInfo }) => {
  const { address, version, info, balances } = answers;
  const { tokens, nfts } = splitByKind(balances);
  const isCut = balances.length === tokenLimit;
  const tabs = [
    { name: 'transactions', title: texts.address.transactions, number: info.txNumber },
    { name: 'tokens', title: texts.address.tokens, number: tokens.length },
    { name: 'nfts', title: texts.held.nfts, number: nfts.length },
    { name: 'events', title: texts.events.title },
  ] as const;
  const tab = chosenTab(tabs);
  return (
    <>
      <Tabs label={texts.held.tabs} tabs={tabs} path={`address/${address}`} />
      {tab === 'transactions' && <AddressHistory {...answers} />}
      {tab === 'tokens' && <HeldTokens tokens={tokens} isCut={isCut} limit={tokenLimit} />}
      {tab === 'nfts' && <HeldNfts nfts={nfts} isCut={isCut} limit={tokenLimit} />}
      {tab === 'events' && <AddressEvents address={address} version={version} />}
    </>
  );
};

/** What does it own, what happened? Of addresses of contracts it is another page. */
export const AddressPage = ({ address }: { readonly address: string }) => {
  const answers = useAddress(address);
  const { path, info, failure, list, pending, utxos, group } = answers;
  useTabTitle(`${accountOf(address)?.name ?? texts.address.title} ${ends(address)}`);
  if (failure?.status === 400) return <MissingPage text={address} tried={texts.missing.triedAddress} />;
  return (
    <>
      <Heading {...answers} />
      {info === undefined && failure === undefined && <p class="empty">{texts.loading}</p>}
      {failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
      {info !== undefined && (
        <>
          <AddressFacts
            info={info}
            utxos={utxos}
            group={group}
            pending={pending.length}
            latest={list.rows[0]?.timestamp}
          />
          {info.txNumber === 0 && pending.length === 0 && <p class="note">{texts.address.neverUsed}</p>}
          <Pictures {...answers} info={info} />
          <Contents {...answers} info={info} />
        </>
      )}
    </>
  );
};
