import { contractAddressOf } from '@shardnode/http/page-paths';
import {
  type Finding,
  type Holder,
  type NftMetadata,
  type TokenDetails,
  type TokenMetadata,
  type Transaction,
} from '../store/forms.js';
import { useList } from '../store/list.js';
import { reload, useAnswer } from '../store/loaded.js';
import { coinSymbol, network } from '../store/network.js';
import { describedIn } from '../store/nft-description.js';
import { movedOf } from '../store/payments.js';
import { collectionMetadata } from '../store/token-metadata.js';
import { Card, Fact, Facts, Failure, StatePill } from '../parts/card.js';
import { CollectionPage } from '../parts/collection.js';
import { Holders } from '../parts/holders.js';
import { AddressLink, Link } from '../parts/links.js';
import { NftCard } from '../parts/nft-card.js';
import { count } from '../parts/numbers.js';
import { plainText } from '../parts/plain-text.js';
import { SubjectId } from '../parts/subject-id.js';
import { TransactionTable } from '../parts/transactions.js';
import { useSlowly } from '../parts/use-slowly.js';
import { Amount } from '../parts/values.js';
import { texts } from '../texts.js';
import { MissingPage } from './missing.js';
import { useTabTitle } from '../parts/page-title.js';
import { ListState, More } from '../parts/list-parts.js';

const pageLimit = 20;
/** Characters of a symbol or number of a stranger. */
const longestShort = 24;

/** Changes with each block that may hold transactions of users. */
const useVersion = (): unknown => {
  const { blocks, snapshots } = network.value;
  const newest = blocks.find(({ txNumber, height }) => txNumber > 1 && height > 0)?.hash;
  return useSlowly([newest, snapshots].join());
};

const isNft = (metadata: TokenDetails['metadata']): metadata is NftMetadata =>
  metadata !== undefined && 'tokenUri' in metadata;
const isFungible = (metadata: TokenDetails['metadata']): metadata is TokenMetadata =>
  metadata !== undefined && 'symbol' in metadata;

/** Whether others are called the same, or the coin is: anybody can choose a symbol. */
const SameSymbol = ({ id, symbol }: { readonly id: string; readonly symbol: string }) => {
  const words = texts.token;
  const { value = [] } = useAnswer<readonly Finding[]>(`search?q=${encodeURIComponent(symbol)}`);
  const isSame = (other: string | undefined): boolean => other?.toLowerCase() === symbol.toLowerCase();
  const others = value.filter(({ kind, id: other, label }) => kind === 'token' && other !== id && isSame(label));
  const isCoin = isSame(coinSymbol.value);
  if (!isCoin && others.length === 0) return null;
  return <p class="banner">{isCoin ? words.likeCoin(coinSymbol.value) : words.sameSymbol(others.length)}</p>;
};

/** Who has the one piece of a token. */
const OnlyHolder = ({ id, version }: { readonly id: string; readonly version: unknown }) => {
  const { value: [only] = [] } = useAnswer<readonly Holder[]>(`tokens/holders/token/${id}?limit=1`, version);
  return <Fact name={texts.token.holder}>{only === undefined ? '…' : <AddressLink id={only.address} />}</Fact>;
};

const TokenFacts = ({ details, version }: { readonly details: TokenDetails; readonly version: unknown }) => {
  const words = texts.token;
  const { token, metadata, holders, txNumber, supplyInOutputs } = details;
  const contract = contractAddressOf(token);
  return (
    <Facts>
      {isFungible(metadata) && <Fact name={words.symbol}>{plainText(metadata.symbol, longestShort)}</Fact>}
      {isNft(metadata) ? (
        <Fact name={words.index}>{plainText(metadata.nftIndex, longestShort)}</Fact>
      ) : (
        <Fact name={words.supply} hint={words.supplyHint}>
          <Amount amount={BigInt(supplyInOutputs)} token={token} />
        </Fact>
      )}
      {isFungible(metadata) && <Fact name={words.decimals}>{plainText(metadata.decimals, longestShort)}</Fact>}
      {holders === 1 ? <OnlyHolder id={token} version={version} /> : <Fact name={words.holders}>{count(holders)}</Fact>}
      <Fact name={texts.address.transactions}>{count(txNumber)}</Fact>
      <Fact name={words.contract}>
        <AddressLink id={contract} />
      </Fact>
    </Facts>
  );
};

const TokenTransactions = ({ id, version }: { readonly id: string; readonly version: unknown }) => {
  const list = useList<Transaction>(`tokens/${id}/transactions?limit=${pageLimit}`, version);
  const { rows, more } = list;
  const words = texts.token;
  return (
    <Card title={texts.address.transactions} class="table">
      <ListState list={list} none={words.noTransactions} />
      {rows.length > 0 && (
        <TransactionTable
          transactions={rows}
          caption={texts.address.transactions}
          amountOf={(transaction) => movedOf(transaction, id)}
        />
      )}
      <More more={more}>{texts.address.more}</More>
    </Card>
  );
};

/** What a token is called; by its kind while it says nothing. */
const titleOf = ({ metadata, stdInterfaceId }: TokenDetails): string => {
  const words = texts.token;
  if (isFungible(metadata)) return plainText(metadata.name).trim() || words.title;
  if (isNft(metadata))
    return (
      plainText(describedIn(metadata.tokenUri)?.name ?? '').trim() ||
      words.numbered(plainText(metadata.nftIndex, longestShort))
    );
  return words.kinds[stdInterfaceId ?? '']?.title ?? words.title;
};

const TokenView = ({ details }: { readonly details: TokenDetails }) => {
  const version = useVersion();
  const words = texts.token;
  const { token, metadata, holders, supplyInOutputs } = details;
  const title = titleOf(details);
  const kind = words.kinds[details.stdInterfaceId ?? 'unknown'];
  useTabTitle(title);
  return (
    <>
      <nav class="breadcrumb" aria-label={texts.breadcrumb}>
        <Link to="">{texts.frame.network}</Link> › {isNft(metadata) ? words.kinds['non-fungible']!.title : words.title}
      </nav>
      <div class="subject">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <StatePill kind="plain">{kind?.pill ?? words.otherKind(plainText(details.stdInterfaceId ?? ''))}</StatePill>
      </div>
      <SubjectId id={token} />
      {isFungible(metadata) && metadata.symbol.trim() !== '' && <SameSymbol id={token} symbol={metadata.symbol} />}
      <TokenFacts details={details} version={version} />
      {isFungible(metadata) && details.stdInterfaceId === 'non-standard' && <p class="note">{words.selfGiven}</p>}
      {metadata === undefined && (
        <p class="note">{words.noMetadata[details.stdInterfaceId === null ? 'notYet' : 'nothing']}</p>
      )}
      {isNft(metadata) && <NftCard metadata={metadata} />}
      <div class={holders > 1 ? 'lists token-lists' : 'token-lists'}>
        {holders > 1 && (
          <Holders
            path={`tokens/holders/token/${token}`}
            token={token}
            holders={holders}
            supply={BigInt(supplyInOutputs)}
            limit={10}
            version={version}
          />
        )}
        <TokenTransactions id={token} version={version} />
      </div>
    </>
  );
};

/** Is it the real one, who holds it? */
export const TokenPage = ({ id }: { readonly id: string }) => {
  const path = `tokens/${id}`;
  const { value: details, failure } = useAnswer<TokenDetails>(path, useVersion());
  if (details !== undefined) return <TokenView details={details} />;
  if (failure === undefined) return <p class="empty">{texts.loading}</p>;
  if (failure.status !== 404) return <Failure failure={failure} retry={() => void reload(path)} />;
  // A collection is a contract, and seldom a token.
  const collection = collectionMetadata(contractAddressOf(id));
  if (collection === undefined) return <p class="empty">{texts.loading}</p>;
  if (collection === null) return <MissingPage text={id} tried={texts.missing.triedToken} />;
  return <CollectionPage id={id} collection={collection} />;
};
