import { type NftMetadata, type TokenBalance } from '../store/forms.js';
import { nftMetadata, tokenMetadata } from '../store/token-metadata.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { ends, Link } from './links.js';
import { plainText } from './plain-text.js';
import { Amount } from './values.js';

const TokenLink = ({ id }: { readonly id: string }) => (
  <Link to={`token/${id}`} class="id" title={id}>
    {ends(id, 8, 8)}
  </Link>
);

/** Which of the tokens of an address are pieces of collections. Those of which that is not known yet count as the others. */
export const splitByKind = (
  balances: readonly TokenBalance[],
): { readonly tokens: readonly TokenBalance[]; readonly nfts: readonly NftMetadata[] } => {
  const kinds = balances.map((balance) => ({ balance, nft: nftMetadata(balance.tokenId) }));
  return {
    tokens: kinds.flatMap(({ balance, nft }) => (nft ? [] : [balance])),
    nfts: kinds.flatMap(({ nft }) => nft ?? []),
  };
};

interface CutProps {
  /** The address may have more. */
  readonly isCut: boolean;
  readonly limit: number;
}

const CutHint = ({ isCut, limit }: CutProps) =>
  isCut ? <span class="quiet number">{texts.address.firstTokens(limit)}</span> : null;

/** Tokens that an address has. */
export const HeldTokens = ({ tokens, ...cut }: CutProps & { readonly tokens: readonly TokenBalance[] }) => {
  const words = texts.address;
  return (
    <Card title={words.tokens} aside={<CutHint {...cut} />} class="table under-tab">
      {tokens.length === 0 && <p class="empty">{texts.held.noTokens}</p>}
      {tokens.length > 0 && (
        <table>
          <caption class="unseen">{words.tokens}</caption>
          <thead>
            <tr>
              <th>{words.tokenId}</th>
              <th class="wide-only">{words.token}</th>
              <th class="number">{words.tokenBalance}</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map(({ tokenId, balance, lockedBalance }) => (
              <tr key={tokenId}>
                <td>
                  <TokenLink id={tokenId} />
                </td>
                <td class="token-name wide-only">{plainText(tokenMetadata(tokenId)?.name ?? '—')}</td>
                <td class="number">
                  <span class="amounts">
                    <Amount amount={BigInt(balance)} token={tokenId} />
                    {lockedBalance !== '0' && (
                      <span class="quiet">
                        {words.tokenLocked} <Amount amount={BigInt(lockedBalance)} token={tokenId} />
                      </span>
                    )}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
};

/** Pieces of collections that an address has. */
export const HeldNfts = ({ nfts, ...cut }: CutProps & { readonly nfts: readonly NftMetadata[] }) => {
  const words = texts.token;
  return (
    <Card title={texts.held.nfts} aside={<CutHint {...cut} />} class="table under-tab">
      {nfts.length === 0 && <p class="empty">{texts.held.noNfts}</p>}
      {nfts.length > 0 && (
        <table>
          <caption class="unseen">{texts.held.nfts}</caption>
          <thead>
            <tr>
              <th>{texts.address.tokenId}</th>
              <th class="wide-only">{words.collection}</th>
              <th class="number">{words.index}</th>
              <th class="uri-cell wide-only">{words.uri}</th>
            </tr>
          </thead>
          <tbody>
            {nfts.map(({ id, collectionId, nftIndex, tokenUri }) => (
              <tr key={id}>
                <td>
                  <TokenLink id={id} />
                </td>
                <td class="wide-only">
                  <Link to={`token/${collectionId}`} class="id" title={collectionId}>
                    {ends(collectionId)}
                  </Link>
                </td>
                <td class="number">{plainText(nftIndex)}</td>
                <td class="token-name uri-cell wide-only quiet">{plainText(tokenUri)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
};
