import { useSignal } from '@preact/signals';
import { type NftMetadata } from '../store/forms.js';
import { allowedPicture, describedIn } from '../store/nft-description.js';
import { texts } from '../texts.js';
import { Card, Row } from './card.js';
import { ends, Link } from './links.js';
import { plainText } from './plain-text.js';
import { Copy } from './values.js';

/** An address that a stranger wrote, as text: nothing leads there. */
export const UriText = ({ uri }: { readonly uri: string }) => (
  <span class="uri">
    <code title={plainText(uri)}>{plainText(uri)}</code> <Copy text={uri} />
  </span>
);

interface PictureProps {
  /** Undefined: the token names none here. */
  readonly image: string | undefined;
  readonly name: string;
}

/** The picture of a token, after a click: what is on it is chosen by a stranger. */
const Picture = ({ image, name }: PictureProps) => {
  const words = texts.token;
  const isShown = useSignal(false);
  const address = image === undefined ? undefined : allowedPicture(image, document.baseURI);
  if (address !== undefined && isShown.value)
    return <img class="nft-picture" src={address} alt={words.pictureOf(name)} referrerpolicy="no-referrer" />;
  return (
    <div class="nft-picture">
      {address !== undefined && (
        <button type="button" class="button" onClick={() => void (isShown.value = true)}>
          {words.showPicture}
        </button>
      )}
      <p class="quiet">
        {address !== undefined ? words.pictureHint : image === undefined ? words.noPicture : words.pictureElsewhere}
      </p>
    </div>
  );
};

/** What a non-fungible token says of itself. */
export const NftCard = ({ metadata: { tokenUri, collectionId, nftIndex } }: { readonly metadata: NftMetadata }) => {
  const words = texts.token;
  const described = describedIn(tokenUri);
  const name = plainText(described?.name ?? words.numbered(nftIndex));
  return (
    <Card title={words.says} aside={<span class="quiet">{words.saysHint}</span>} class="nft">
      <Picture image={described?.image} name={name} />
      <dl>
        {described?.description !== undefined && <Row name={words.description}>{plainText(described.description)}</Row>}
        <Row name={words.collection}>
          <Link to={`token/${collectionId}`} class="id" title={collectionId}>
            {ends(collectionId, 8, 8)}
          </Link>
        </Row>
        <Row name={words.uri}>
          <UriText uri={tokenUri} />
        </Row>
        {described?.attributes.map(({ name: attribute, value }, i) => (
          <Row key={i} name={plainText(attribute)}>
            {plainText(value)}
          </Row>
        ))}
      </dl>
      {described === undefined && <p class="quiet">{words.uriElsewhere}</p>}
    </Card>
  );
};
