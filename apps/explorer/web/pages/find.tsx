import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { goInstead, parameter } from '../router.js';
import { failureOf } from '../store/loaded.js';
import { find, pathOf, type Place } from '../store/search.js';
import { lookOf, searchedText } from '@shardnode/http/searched-text';
import { type ApiFailure } from '../stream/api.js';
import { Card, Failure } from '../parts/card.js';
import { PlaceWords } from '../parts/findings.js';
import { Link } from '../parts/links.js';
import { plainText } from '../parts/plain-text.js';
import { Suggestions } from '../parts/suggestions.js';
import { texts } from '../texts.js';
import { MissingPage } from './missing.js';
import { PageTitle, useTabTitle } from '../parts/page-title.js';

const Places = ({ text, places }: { readonly text: string; readonly places: readonly Place[] }) => {
  const paths = useSignal<readonly (string | undefined)[]>([]);
  useEffect(() => void Promise.all(places.map(pathOf)).then((all) => void (paths.value = all)), [places]);
  return (
    <>
      <PageTitle title={plainText(text)} intro={texts.search.several(places.length)} />
      <Card title={texts.search.label} class="findings-card">
        <ul>
          {places.map((place, i) => {
            const path = paths.value[i];
            return (
              path !== undefined && (
                <li key={path}>
                  <Link to={path}>
                    <PlaceWords place={place} />
                  </Link>
                </li>
              )
            );
          })}
        </ul>
      </Card>
    </>
  );
};

/** What was found; one place alone is gone to. */
const Found = ({ text }: { readonly text: string }) => {
  const places = useSignal<readonly Place[] | undefined>(undefined);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const look = async (): Promise<void> => {
    try {
      const found = await find(text);
      const path = found.length === 1 ? await pathOf(found[0]!) : undefined;
      if (path !== undefined) return goInstead(path);
      places.value = found;
      failure.value = undefined;
    } catch (error) {
      failure.value = failureOf(error);
    }
  };
  useEffect(() => void look(), []);
  if (failure.value !== undefined) return <Failure failure={failure.value} retry={() => void look()} />;
  if (places.value === undefined) return <p class="quiet">{texts.loading}</p>;
  if (places.value.length > 1) return <Places text={text} places={places.value} />;
  const kind = lookOf(text);
  return (
    <MissingPage text={text} tried={texts.missing.tried[kind]} look={kind === 'hash' ? () => void look() : undefined}>
      <Suggestions text={text} />
    </MissingPage>
  );
};

/** What is this text? */
export const FindPage = () => {
  const text = searchedText(parameter('q') ?? '');
  useTabTitle(texts.search.label);
  return <Found key={text} text={text} />;
};
