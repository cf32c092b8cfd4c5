import { useSignal } from '@preact/signals';
import { groupOfAddress } from '../store/address-group.js';
import { isOfContract } from '../store/address-kind.js';
import { type ContractSource, hasDevelopmentTools, sourcePath } from '../store/development.js';
import { type Holder } from '../store/forms.js';
import { reload, useAnswer, useAnswers } from '../store/loaded.js';
import { groups } from '../store/network.js';
import { segmentsOf, shareOf } from '../store/shares.js';
import { texts } from '../texts.js';
import { AddressBadge } from './address-badge.js';
import { Card } from './card.js';
import { AddressLink, GroupBadge } from './links.js';
import { count, percentText } from './numbers.js';
import { plainText } from './plain-text.js';
import { Amount } from './values.js';
import { ListState, More } from './list-parts.js';

/** Holders that have a part of the bar. */
const inBar = 10;
const [barWidth, leastWidth] = [1_000, 4];

interface ShareBarProps {
  readonly holders: readonly Holder[];
  readonly supply: bigint;
  /** Place of the one that is pointed at. */
  readonly pointed: number | undefined;
  readonly onPoint: (place: number | undefined) => void;
}

/** The largest shares side by side, the largest first. */
const ShareBar = ({ holders, supply, pointed, onPoint }: ShareBarProps) => {
  const words = texts.token;
  const shares = holders.slice(0, inBar).map(({ balance }) => shareOf(BigInt(balance), supply));
  const sum = shares.reduce((total, share) => total + share, 0);
  return (
    <div class="share-bar">
      <svg
        viewBox={`0 0 ${barWidth} 20`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.largest(shares.length, percentText(sum))}
        onPointerLeave={() => onPoint(undefined)}
      >
        <rect class="rest" width={barWidth} height="20" />
        {segmentsOf(shares, barWidth, leastWidth).map(({ x, width }, place) => (
          <rect
            key={place}
            class={`part step-${place} ${pointed === place ? 'pointed' : ''}`}
            x={x}
            width={Math.max(0, width - 2)}
            height="20"
            onPointerEnter={() => onPoint(place)}
          />
        ))}
      </svg>
      <p class="shares">
        <span>{words.largest(shares.length, percentText(sum))}</span>
        {sum < 1 && <span>{words.others(percentText(1 - Math.floor(sum * 1_000) / 1_000))}</span>}
      </p>
    </div>
  );
};

interface RowProps {
  readonly holder: Holder;
  readonly rank: number;
  readonly token: string | undefined;
  readonly supply: bigint | undefined;
  readonly isPointed: boolean;
  readonly onPoint: () => void;
}

const HolderRow = ({ holder: { address, balance }, rank, token, supply, isPointed, onPoint }: RowProps) => {
  const share = supply === undefined ? undefined : shareOf(BigInt(balance), supply);
  const group = groupOfAddress(address, groups.value);
  return (
    <tr class={isPointed ? 'pointed' : ''} onPointerEnter={onPoint} onFocusIn={onPoint}>
      <td class="quiet number rank">{count(rank)}</td>
      <td>
        <span class="holder">
          {group !== undefined && <GroupBadge group={group} />}
          <AddressLink id={address} first={8} last={6} />
          <AddressBadge address={address} />
          <ContractName address={address} />
        </span>
      </td>
      <td class="number">
        <Amount amount={BigInt(balance)} token={token} />
      </td>
      <td class="number share-cell">
        {share === undefined ? '—' : percentText(share)}
        {share !== undefined && (
          <svg class="share" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
            <rect width="100" height="3" />
            <rect class="part" width={share * 100} height="3" />
          </svg>
        )}
      </td>
    </tr>
  );
};

/** The name of a contract in its source, where a development network knows it. */
const ContractName = ({ address }: { readonly address: string }) => {
  const { value } = useAnswer<{ readonly source: ContractSource | null }>(
    hasDevelopmentTools && isOfContract(address) ? sourcePath(address) : undefined,
  );
  return value?.source ? <span class="quiet">{plainText(value.source.contract)}</span> : null;
};

/** How many parts of the lists were shown that were left, by path. */
const lengths = new Map<string, number>();

/** Holders of a path of the API, the richest first. @param limit how many more are read at once */
const useHolders = (path: string, limit: number, version: unknown) => {
  const parts = useSignal(lengths.get(path) ?? 1);
  const paths = Array.from({ length: parts.value }, (_, part) => `${path}?limit=${limit}&page=${part + 1}`);
  const answers = useAnswers<readonly Holder[]>(paths, version);
  const more = (): void => {
    parts.value += 1;
    lengths.set(path, parts.value);
  };
  return {
    rows: answers.flatMap(({ value = [] }) => value),
    failure: answers.find(({ failure }) => failure !== undefined)?.failure,
    isLoading: answers.some(({ value, isLoading }) => value === undefined && isLoading),
    retry: () => paths.forEach((each) => void reload(each)),
    /** Undefined at the end of the list. */
    more: answers.at(-1)?.value?.length === limit ? more : undefined,
  };
};

interface HoldersProps {
  readonly path: string;
  /** Undefined: the coin. */
  readonly token?: string;
  /** How many there are, where that is known. */
  readonly holders?: number;
  /** In the smallest unit; undefined while it is unknown: that of all rows if there are no more. */
  readonly supply: bigint | undefined;
  readonly limit: number;
  /** Asks again when it changes. */
  readonly version: unknown;
}

/** Who holds an asset: a bar of the largest shares, and all of them as a table. */
export const Holders = ({ path, token, holders, supply: counted, limit, version }: HoldersProps) => {
  const words = texts.token;
  const pointed = useSignal<number | undefined>(undefined);
  const onPoint = (place: number | undefined): void => void (pointed.value = place);
  const list = useHolders(path, limit, version);
  const { rows, failure, isLoading, more } = list;
  const older = rows.length < (holders ?? Infinity) ? more : undefined;
  const isAll = older === undefined && !isLoading && failure === undefined;
  const supply = isAll ? rows.reduce((sum, { balance }) => sum + BigInt(balance), 0n) : counted;
  return (
    <Card
      title={words.holders}
      aside={holders !== undefined && <span class="quiet number">{count(holders)}</span>}
      class="table"
    >
      <ListState list={list} none={texts.richList.none} />
      {rows.length > 0 && supply !== undefined && (
        <ShareBar holders={rows} supply={supply} pointed={pointed.value} onPoint={onPoint} />
      )}
      {rows.length > 0 && (
        <table class="holders" onPointerLeave={() => onPoint(undefined)}>
          <caption class="unseen">{words.holders}</caption>
          <thead>
            <tr>
              <th class="number">{words.rank}</th>
              <th>{texts.address.title}</th>
              <th class="number">{texts.address.balance}</th>
              <th class="number">{words.share}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((holder, place) => (
              <HolderRow
                key={holder.address}
                holder={holder}
                rank={place + 1}
                token={token}
                supply={supply}
                isPointed={pointed.value === place}
                onPoint={() => onPoint(place)}
              />
            ))}
          </tbody>
        </table>
      )}
      <More more={older}>{words.moreHolders}</More>
    </Card>
  );
};
