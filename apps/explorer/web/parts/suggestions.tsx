import { type Look, lookOf } from '@shardnode/http/searched-text';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Finding } from '../store/forms.js';
import { placePath } from '../store/search.js';
import { read } from '../stream/api.js';
import { texts } from '../texts.js';
import { PlaceWords } from './findings.js';
import { Link } from './links.js';

/** Characters of shorter searches, which the first one that finds something ends. An id has its neighbours at random. */
const shorterIds = [8, 5];
const shorterNames = [4, 3, 2];
const shorter: Partial<Readonly<Record<Look, readonly number[]>>> = {
  address: shorterIds,
  brokenHash: shorterIds,
  shortened: shorterIds,
  beginning: [...shorterIds, ...shorterNames],
  name: shorterNames,
  other: shorterNames,
};

/** What begins as a text does, as far as anything does. A failed search suggests nothing. */
const nearestTo = async (text: string): Promise<readonly Finding[]> => {
  const characters = [...text];
  for (const length of shorter[lookOf(text)] ?? []) {
    if (length >= characters.length) continue;
    const beginning = characters.slice(0, length).join('');
    const found = await read<readonly Finding[]>(`search?q=${encodeURIComponent(beginning)}`);
    if (found.length > 0) return found;
  }
  return [];
};

/** What to try in place of a text that nothing has: what begins alike, and the forms that a search takes. */
export const Suggestions = ({ text }: { readonly text: string }) => {
  const nearest = useSignal<readonly Finding[]>([]);
  useEffect(
    () =>
      void nearestTo(text).then(
        (found) => (nearest.value = found),
        () => undefined,
      ),
    [],
  );
  const { missing } = texts;
  return (
    <>
      {nearest.value.length > 0 && (
        <>
          <h2>{missing.nearest}</h2>
          <ul class="nearest">
            {nearest.value.map((place) => (
              <li key={`${place.kind}${place.id}`}>
                <Link to={placePath(place)}>
                  <PlaceWords place={place} />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{missing.forms}</h2>
      <dl class="known-forms">
        {missing.knownForms.map(([what, form]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{form}</dd>
          </div>
        ))}
      </dl>
    </>
  );
};
