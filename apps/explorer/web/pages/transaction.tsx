import { useEffect } from 'preact/hooks';
import { type BlockLite, type Transaction } from '../store/forms.js';
import { answerOf, type Loaded, reload, useAnswer } from '../store/loaded.js';
import { coinSymbol, headOf, network, now, polledNews, watch } from '../store/network.js';
import { pendingVersion } from '../store/network-state.js';
import { isFinal, pageState } from '../store/page-state.js';
import {
  areSendersKnown,
  changesOfAddresses,
  feeOf,
  hasFailed,
  isComplete,
  moved,
  reached,
  senders,
} from '../store/payments.js';
import {
  isPending,
  type Seen,
  type Standing,
  standingOf,
  type TransactionAnswer,
  withAnswer,
} from '../store/standing.js';
import { addressOf } from '../stream/api.js';
import { mostWatched } from '../stream/connection.js';
import { AcrossCard } from '../parts/across/across.js';
import { Card, Fact, Facts, Failure, StatePill } from '../parts/card.js';
import { ConfirmationsCard } from '../parts/confirmations.js';
import { FlowCard } from '../parts/flow/flow.js';
import { AddressLink, ChainBadge, chainPath, GroupBadge, Link } from '../parts/links.js';
import { count, span, utc } from '../parts/numbers.js';
import { ScriptFailureBanner } from '../parts/script-failure.js';
import { TransactionEvents } from '../parts/transaction-events.js';
import { TransactionTechnical } from '../parts/transaction-technical.js';
import { areListsEven, groupsOfAddresses, InputList, OutputList } from '../parts/transfers.js';
import { useSlowly } from '../parts/use-slowly.js';
import { useTakenIn } from '../parts/use-confirmations.js';
import { Age, Amount, Copy } from '../parts/values.js';
import { texts } from '../texts.js';
import { MissingPage } from './missing.js';
import { useTabTitle } from '../parts/page-title.js';

const State = ({ transaction, standing }: { readonly transaction: TransactionAnswer; readonly standing: Standing }) => {
  const { states } = texts.transaction;
  if (standing.state === 'moved') return <StatePill kind="warning">{states.moved}</StatePill>;
  if (standing.state === 'gone') return <StatePill kind="bad">{states.gone}</StatePill>;
  if (isPending(transaction)) return <StatePill kind="warning">{states.pending}</StatePill>;
  if (hasFailed(transaction)) return <StatePill kind="bad">{states.failed}</StatePill>;
  const head = headOf(transaction);
  const final = isFinal(head && head.height - transaction.blockHeight);
  return <StatePill kind="good">{final ? states.final : states.confirmed}</StatePill>;
};

/** What a reorganisation, or the mempool, did to it while the page was open. */
const Replaced = ({
  transaction,
  standing,
}: {
  readonly transaction: TransactionAnswer;
  readonly standing: Standing;
}) => {
  const { replaced: words, dropped } = texts.transaction;
  const { state, replaced } = standing;
  if (replaced === undefined)
    return state === 'gone' ? (
      <p class="banner" role="status">
        {dropped}
      </p>
    ) : null;
  const now = state === 'confirmed' ? words.confirmed(count((transaction as Transaction).blockHeight)) : words[state];
  return (
    <p class="banner" role="status">
      {words.was} <Link to={`block/${replaced.hash}`}>{count(replaced.height)}</Link>. {now}
    </p>
  );
};

/** When the page or the explorer saw a transaction wait, by its id; for how long it waited. */
const seenWaiting = new Map<string, number>();

/** To whom it went, as words. */
const movedHint = (transaction: TransactionAnswer): string => {
  const words = texts.transaction;
  if (transaction.inputs.length === 0) return words.reward;
  const [own, to] = [senders(transaction), reached(transaction)];
  return own.length === 1 && to[0] === own[0] ? words.movedBack : words.movedTo(to.length);
};

const MovedFact = ({ transaction }: { readonly transaction: TransactionAnswer }) =>
  hasFailed(transaction) ? (
    <Fact name={texts.transaction.moved} hint={texts.transaction.nothingMoved}>
      <Amount amount={0n} />
    </Fact>
  ) : (
    <Fact name={texts.transaction.moved} hint={movedHint(transaction)}>
      <Amount {...moved(transaction)} />
    </Fact>
  );

const PlaceFacts = ({
  transaction,
  standing,
}: {
  readonly transaction: TransactionAnswer;
  readonly standing: Standing;
}) => {
  const words = texts.transaction;
  const waitedFrom = seenWaiting.get(transaction.hash);
  if (isPending(transaction))
    return (
      <>
        <Fact name={words.seen} hint={utc(transaction.lastSeen)}>
          <Age timestamp={transaction.lastSeen} suffix=" ago" />
        </Fact>
        <Fact name={words.block} hint={<Link to={`pending?id=${transaction.hash}`}>{words.amongWaiting}</Link>}>
          {words.blockWaits}
        </Fact>
      </>
    );
  const isHeld = standing.state === 'confirmed';
  return (
    <>
      <Fact name={words.time} hint={utc(transaction.timestamp)}>
        <Age timestamp={transaction.timestamp} suffix=" ago" />
      </Fact>
      <Fact name={words.block} hint={isHeld ? words.place(transaction.txOrder + 1) : words.wasIn}>
        <Link to={`block/${transaction.blockHash}`}>{count(transaction.blockHeight)}</Link>
      </Fact>
      {waitedFrom !== undefined && waitedFrom < transaction.timestamp && (
        <Fact name={words.waited} hint={words.waitedHint}>
          {span(transaction.timestamp - waitedFrom)}
        </Fact>
      )}
    </>
  );
};

const nano = 10n ** 9n;

const TransactionFacts = ({
  transaction,
  standing,
}: {
  readonly transaction: TransactionAnswer;
  readonly standing: Standing;
}) => {
  const price = (BigInt(transaction.gasPrice) / nano).toString();
  return (
    <Facts>
      {areSendersKnown(transaction) && <MovedFact transaction={transaction} />}
      <PlaceFacts transaction={transaction} standing={standing} />
      {transaction.inputs.length > 0 && (
        <Fact
          name={texts.transaction.fee}
          hint={texts.transaction.gas(count(transaction.gasAmount), price, coinSymbol.value)}
        >
          <Amount amount={feeOf(transaction)} />
        </Fact>
      )}
    </Facts>
  );
};

const Changes = ({ transaction }: { readonly transaction: TransactionAnswer }) => {
  const words = texts.transaction;
  const groups = groupsOfAddresses(transaction);
  return (
    <Card title={words.changed} class="table">
      <table>
        <caption class="unseen">{words.changed}</caption>
        <thead>
          <tr>
            <th>{words.group}</th>
            <th>{words.address}</th>
            <th class="number">{words.difference}</th>
          </tr>
        </thead>
        <tbody>
          {changesOfAddresses(transaction).map((ofAddress) => {
            const { address } = ofAddress[0]!;
            return (
              <tr key={address}>
                <td>
                  <GroupBadge group={groups.get(address) ?? transaction.chainFrom} />
                </td>
                <td>
                  <AddressLink id={address} />
                </td>
                <td class="number">
                  <span class="amounts">
                    {ofAddress.map(({ token, amount }) => (
                      <Amount key={token} amount={amount} token={token} isSigned />
                    ))}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
};

/** Addresses of outputs that somebody may spend while the page is open, as many as the service watches. */
const watchedOf = (transaction: TransactionAnswer | undefined): string[] => {
  const unspent = transaction?.outputs.filter(({ spent }) => spent === undefined) ?? [];
  return [...new Set(unspent.map(({ address }) => address))].slice(0, mostWatched);
};

/** Changes whenever the answer may have changed: its block came or left, it began to wait, an output was spent. */
const useVersion = (hash: string, { value: known, failure }: Loaded<TransactionAnswer>): string => {
  const { pending, blocks, orphans, touched, snapshots } = network.value;
  const watched = watchedOf(known);
  useEffect(() => watched.forEach(watch), [watched.join()]);
  const chain = known ?? pending.get(hash);
  const isHeld = known !== undefined && !isPending(known) && failure === undefined;
  const newest = blocks.find((block) => block.chainFrom === chain?.chainFrom && block.chainTo === chain?.chainTo);
  const hasLeft = isHeld && orphans.some(({ block }) => block.hash === known.blockHash);
  const spending = watched.map((address) => touched.get(address) ?? 0);
  const left = pendingVersion(network.value, known !== undefined && isPending(known) ? [hash] : []);
  // Without the stream, address changes are not reported: each poll may have found a spent output.
  const news = [pending.has(hash), isHeld ? '' : newest?.hash, hasLeft, polledNews.value, left].join();
  return `${news} ${useSlowly([...spending, snapshots].join())}`;
};

const Breadcrumb = ({ transaction }: { readonly transaction: TransactionAnswer }) => (
  <nav class="breadcrumb" aria-label={texts.breadcrumb}>
    <Link to="">{texts.frame.network}</Link> ›{' '}
    <Link to={chainPath(transaction)}>
      {transaction.chainFrom} → {transaction.chainTo}
    </Link>
    {!isPending(transaction) && (
      <>
        {' › '}
        <Link to={`block/${transaction.blockHash}`}>{texts.block.title(count(transaction.blockHeight))}</Link>
      </>
    )}
  </nav>
);

/** The block of a transaction; undefined while it has none. */
const blockOf = (transaction: TransactionAnswer, { state }: Standing): BlockLite | undefined => {
  if (isPending(transaction) || state !== 'confirmed') return undefined;
  const { blockHash: hash, blockHeight: height, chainFrom, chainTo, timestamp } = transaction;
  const known = network.value.blocks.find((block) => block.hash === hash);
  return known ?? { hash, height, chainFrom, chainTo, timestamp, txNumber: 0, mainChain: true, hashRate: '0' };
};

/** In which blocks this tab has seen transactions. */
const seenInBlocks = new Map<string, Seen>();

const useStanding = (hash: string, { value, failure }: Loaded<TransactionAnswer>): Standing | undefined => {
  if (value === undefined) return undefined;
  const seen = withAnswer(seenInBlocks.get(hash) ?? {}, value);
  seenInBlocks.set(hash, seen);
  const hasLeft = network.value.orphans.some(({ block }) => block.hash === seen.last?.hash);
  return standingOf(value, seen, { isMissing: failure?.status === 404, hasLeft });
};

interface DetailsProps {
  readonly transaction: TransactionAnswer;
  readonly standing: Standing;
}

/** The counts, and the way to the receiving group. */
const Progress = ({ transaction, standing }: DetailsProps) => {
  const block = blockOf(transaction, standing);
  const takenIn = useTakenIn(block);
  return (
    <div class="lists even progress">
      <ConfirmationsCard transaction={transaction} block={block} takenIn={takenIn} finality={pageState.finalityDepth} />
      <AcrossCard
        transaction={transaction}
        block={block}
        takenIn={takenIn}
        place={isPending(transaction) ? undefined : transaction.txOrder + 1}
      />
    </div>
  );
};

const Details = ({ transaction, standing }: DetailsProps) => {
  if (isPending(transaction)) seenWaiting.set(transaction.hash, Math.min(transaction.lastSeen, now.peek()));
  const { hash } = transaction;
  return (
    <>
      <Breadcrumb transaction={transaction} />
      <div class="subject">
        <h1>{texts.transaction.title}</h1>
        <State transaction={transaction} standing={standing} />
        <ChainBadge {...transaction} />
      </div>
      <p class="full-id">
        {hash} <Copy text={hash} />
      </p>
      <Replaced transaction={transaction} standing={standing} />
      {!isPending(transaction) && hasFailed(transaction) && <ScriptFailureBanner transaction={transaction} />}
      <TransactionFacts transaction={transaction} standing={standing} />
      <FlowCard transaction={transaction} />
      {standing.state !== 'gone' && <Progress transaction={transaction} standing={standing} />}
      <div class={`lists even ${areListsEven(transaction) ? '' : 'uneven'}`} id="lists">
        <InputList transaction={transaction} />
        <OutputList transaction={transaction} />
      </div>
      {isComplete(transaction) && <Changes transaction={transaction} />}
      {!isPending(transaction) && transaction.scriptOpt !== null && <TransactionEvents transaction={transaction} />}
      {!isPending(transaction) && <TransactionTechnical transaction={transaction} />}
      <p class="print-only">
        {texts.transaction.printed(utc(now.value))} · {addressOf(`tx/${hash}`)}
      </p>
    </>
  );
};

/** Has it arrived? Who paid whom how much? */
export const TransactionPage = ({ hash }: { readonly hash: string }) => {
  const path = `transactions/${hash}`;
  const version = useVersion(hash, answerOf<TransactionAnswer>(path));
  const loaded = useAnswer<TransactionAnswer>(path, version);
  const standing = useStanding(hash, loaded);
  useTabTitle(`${texts.transaction.title} ${hash.slice(0, 8)}`);
  const { value, failure } = loaded;
  if (value !== undefined && standing !== undefined) return <Details transaction={value} standing={standing} />;
  if (failure?.status === 404)
    return <MissingPage text={hash} tried={texts.missing.triedTransaction} look={() => void reload(path)} />;
  return failure ? <Failure failure={failure} retry={() => void reload(path)} /> : <p class="empty">{texts.loading}</p>;
};
