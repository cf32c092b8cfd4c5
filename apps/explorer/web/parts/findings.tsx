import { groupOfAddress } from '../store/address-group.js';
import { accountOf } from '../store/development.js';
import { chainOfHash } from '../store/chains.js';
import { groups } from '../store/network.js';
import { type Place } from '../store/search.js';
import { texts } from '../texts.js';
import { ChainBadge, ends, GroupBadge } from './links.js';
import { count } from './numbers.js';
import { plainText } from './plain-text.js';

/** The chain or the group of a place, where its id tells it. */
const Badge = ({ place: { kind, id } }: { readonly place: Place }) => {
  if (kind === 'block') return <ChainBadge {...chainOfHash(id, groups.value)} />;
  const group = kind === 'address' || kind === 'contract' ? groupOfAddress(id, groups.value) : undefined;
  return group === undefined ? null : <GroupBadge group={group} />;
};

/** What is at a place: its kind, its id and its name. */
export const PlaceWords = ({ place }: { readonly place: Place }) => {
  const label = ('label' in place ? place.label : undefined) ?? accountOf(place.id)?.name;
  return (
    <>
      <span class="kind">{texts.search.kinds[place.kind]}</span>
      {place.kind === 'chain' ? (
        <ChainBadge chainFrom={Number(place.id.split('/')[0])} chainTo={Number(place.id.split('/')[1])} />
      ) : (
        <span class="id">{ends(place.id, 8, 8)}</span>
      )}
      {label !== undefined && <span class="quiet">{plainText(label)}</span>}
      <Badge place={place} />
    </>
  );
};

interface FindingsProps {
  readonly places: readonly Place[];
  /** The one that Enter opens. */
  readonly at: number;
  readonly onPick: (place: Place) => void;
}

/** What a text may mean, to choose from; heights as a table of the chains. */
export const Findings = ({ places, at, onPick }: FindingsProps) => {
  const [first] = places;
  const isHeights = first?.kind === 'height';
  return (
    <div class="found" hidden={places.length === 0}>
      {isHeights && <p class="quiet">{texts.search.heights(count(first.height))}</p>}
      <ul
        id="findings"
        role="listbox"
        aria-label={texts.search.label}
        class={isHeights ? 'heights' : undefined}
        style={{ '--groups': groups.value }}
      >
        {places.map((place, i) => (
          <li
            key={`${place.kind}${place.id}`}
            id={`finding-${i}`}
            role="option"
            aria-selected={i === at}
            style={place.kind === 'height' ? { gridArea: `${place.chainFrom + 1} / ${place.chainTo + 1}` } : undefined}
            onMouseDown={(event) => {
              event.preventDefault();
              onPick(place);
            }}
          >
            {place.kind === 'height' ? <ChainBadge {...place} /> : <PlaceWords place={place} />}
          </li>
        ))}
      </ul>
    </div>
  );
};
