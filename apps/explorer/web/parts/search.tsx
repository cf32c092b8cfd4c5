import { useSignal } from '@preact/signals';
import { type TargetedClipboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { go } from '../router.js';
import { groups } from '../store/network.js';
import { find, pathOf, type Place } from '../store/search.js';
import { keepSearch } from '../store/searches.js';
import { lookOf, searchedText } from '@shardnode/http/searched-text';
import { texts } from '../texts.js';
import { Findings } from './findings.js';
import { useKeys } from './keys.js';

const waitMs = 120;

interface State {
  readonly text: string;
  readonly places: readonly Place[];
  readonly isDone: boolean;
  readonly hasFailed?: boolean;
  readonly at: number;
}

const empty: State = { text: '', places: [], isDone: false, at: 0 };

/** Asks 120 ms after the last key; an older answer never replaces a newer one. */
const useFindings = () => {
  const state = useSignal(empty);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const ask = async (text: string): Promise<State> => {
    clearTimeout(timer.current);
    let found: State;
    try {
      found = { text, places: await find(text), isDone: true, at: 0 };
    } catch {
      found = { ...empty, text, isDone: true, hasFailed: true };
    }
    if (state.value.text === text) state.value = found;
    return found;
  };
  const type = (raw: string): void => {
    clearTimeout(timer.current);
    const text = searchedText(raw);
    state.value = { ...empty, text, isDone: text === '' && raw !== '' };
    if (text !== '') timer.current = setTimeout(() => void ask(text), waitMs);
  };
  return { state, ask, type };
};

/** How far an arrow goes in the list; heights stand in a table of the chains. */
const steps = ({ places, at }: State): Readonly<Record<string, number>> => {
  if (places[0]?.kind !== 'height') return { ArrowDown: 1, ArrowUp: -1 };
  const row = groups.value;
  const isInside = (step: number): boolean => places[at + step] !== undefined;
  return {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: isInside(row) ? row : 1,
    ArrowUp: isInside(-row) ? -row : -1,
  };
};

/** The keys of the field, and what is done with the answer. */
const useSearch = () => {
  const { state, ask, type } = useFindings();
  const field = useRef<HTMLInputElement>(null);
  const close = (): void => void (state.value = empty);
  const leave = (to: string): void => {
    close();
    field.current!.value = '';
    field.current!.blur();
    go(to);
  };
  /** Nothing is there: a page says what was tried. */
  const miss = (text: string): void => {
    keepSearch(text);
    leave(`find?q=${encodeURIComponent(text)}`);
  };
  const pick = async (place: Place): Promise<void> => {
    const { text } = state.value;
    keepSearch(text);
    try {
      const path = await pathOf(place);
      if (path === undefined) miss(text);
      else leave(path);
    } catch {
      state.value = { ...empty, text, isDone: true, hasFailed: true };
    }
  };
  const submit = async (raw: string): Promise<void> => {
    const text = searchedText(raw);
    if (text === '') return type(raw);
    const { places: known, isDone, at, text: asked } = state.value;
    if (isDone && asked === text && known.length > 0) return pick(known[at]!);
    state.value = { ...empty, text };
    const { places, hasFailed } = await ask(text);
    if (places.length === 1) return pick(places[0]!);
    if (places.length === 0 && hasFailed !== true) miss(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { places, at } = state.value;
    if (event.key === 'Escape') {
      close();
      return field.current!.blur();
    }
    const step = steps(state.value)[event.key];
    if (step === undefined || places.length === 0) return;
    event.preventDefault();
    state.value = { ...state.value, at: (at + step + places.length) % places.length };
  };
  return { state: state.value, field, type, close, pick, submit, onKeyDown };
};

const Nothing = ({ state: { text, hasFailed } }: { readonly state: State }) => (
  <p class="nothing" role="status">
    {hasFailed === true
      ? texts.search.failed
      : [texts.search.nothing, texts.missing.looksLike[lookOf(text)], text !== '' && texts.search.more]
          .filter(Boolean)
          .join(' ')}
  </p>
);

/** The one field for everything; what is pasted into it is searched for at once. */
export const Search = () => {
  const { state, field, type, close, pick, submit, onKeyDown } = useSearch();
  const { places, isDone, at } = state;
  useKeys({
    '/': (event) => {
      event.preventDefault();
      field.current!.focus();
    },
  });
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void submit(field.current!.value);
  };
  const onPaste = ({ clipboardData, currentTarget }: TargetedClipboardEvent<HTMLInputElement>): void => {
    const pasted = clipboardData?.getData('text') ?? '';
    const { value, selectionStart, selectionEnd } = currentTarget;
    const isAll = selectionStart === 0 && selectionEnd === value.length;
    if (isAll) setTimeout(() => void submit(pasted));
  };
  return (
    <form class="search" role="search" onSubmit={onSubmit}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" />
        <path d="M10.5 10.5 14 14" />
      </svg>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={texts.search.label}
        aria-expanded={isDone && places.length > 0}
        aria-controls="findings"
        aria-autocomplete="list"
        aria-activedescendant={places.length > 0 ? `finding-${at}` : undefined}
        placeholder={texts.search.placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <kbd aria-hidden="true">/</kbd>
      <Findings places={places} at={at} onPick={(place) => void pick(place)} />
      {isDone && places.length === 0 && <Nothing state={state} />}
    </form>
  );
};
