import { useSignal } from '@preact/signals';
import { contractIdOf } from '@shardnode/http/page-paths';
import { type CollectionMetadata } from '../store/forms.js';
import { reload, useAnswer } from '../store/loaded.js';
import { nftMetadata } from '../store/token-metadata.js';
import { texts } from '../texts.js';
import { Card, Fact, Facts, Failure, StatePill } from './card.js';
import { AddressLink, ends, Link } from './links.js';
import { UriText } from './nft-card.js';
import { plainText } from './plain-text.js';
import { SubjectId } from './subject-id.js';
import { useTabTitle } from './page-title.js';
import { More } from './list-parts.js';

const limit = 20;

interface SubContracts {
  readonly subContracts: readonly string[];
}

/** A part of the contracts that a collection has made: those that are tokens of it. */
const Members = ({ collection, path }: { readonly collection: string; readonly path: string }) => {
  const { value, failure } = useAnswer<SubContracts>(path);
  const ids = value?.subContracts.flatMap((address) => contractIdOf(address) ?? []) ?? [];
  const members = ids.flatMap((id) => {
    const metadata = nftMetadata(id);
    return metadata?.collectionId === collection ? [metadata] : [];
  });
  if (failure !== undefined)
    return (
      <tr>
        <td colSpan={3}>
          <Failure failure={failure} retry={() => void reload(path)} />
        </td>
      </tr>
    );
  return (
    <>
      {members.map(({ id, nftIndex, tokenUri }) => (
        <tr key={id}>
          <td>
            <Link to={`token/${id}`} class="id" title={id}>
              {ends(id, 8, 8)}
            </Link>
          </td>
          <td class="number">{plainText(nftIndex)}</td>
          <td class="token-name uri-cell wide-only quiet">{plainText(tokenUri)}</td>
        </tr>
      ))}
    </>
  );
};

interface CollectionProps {
  /** Contract id. */
  readonly id: string;
  readonly collection: CollectionMetadata;
}

/** A collection of non-fungible tokens: a contract that is no token itself. */
export const CollectionPage = ({ id, collection: { address, collectionUri } }: CollectionProps) => {
  const words = texts.token;
  const pages = useSignal(1);
  const pathOf = (page: number): string => `contracts/${address}/sub-contracts?limit=${limit}&page=${page}`;
  const { value: last } = useAnswer<SubContracts>(pathOf(pages.value));
  useTabTitle(`${words.collection} ${ends(id)}`);
  return (
    <>
      <nav class="breadcrumb" aria-label={texts.breadcrumb}>
        <Link to="">{texts.frame.network}</Link> › {words.collection}
      </nav>
      <div class="subject">
        <h1>{words.collection}</h1>
        <StatePill kind="plain">{words.kinds['non-fungible']!.pill}</StatePill>
      </div>
      <SubjectId id={id} />
      <Facts>
        <Fact name={words.contract}>
          <AddressLink id={address} />
        </Fact>
        <Fact name={words.uri} hint={words.uriElsewhere}>
          <UriText uri={collectionUri} />
        </Fact>
      </Facts>
      <Card title={words.members} aside={<span class="quiet wide-only">{words.membersHint}</span>} class="table">
        <table>
          <caption class="unseen">{words.members}</caption>
          <thead>
            <tr>
              <th>{texts.address.tokenId}</th>
              <th class="number">{words.index}</th>
              <th class="uri-cell wide-only">{words.uri}</th>
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: pages.value }, (_, i) => (
              <Members key={i} collection={id} path={pathOf(i + 1)} />
            ))}
          </tbody>
        </table>
        <More more={last?.subContracts.length === limit ? () => void (pages.value += 1) : undefined}>
          {words.moreMembers}
        </More>
      </Card>
    </>
  );
};
