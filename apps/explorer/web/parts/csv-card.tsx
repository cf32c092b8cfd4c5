import { useSignal } from '@preact/signals';
import { failureOf } from '../store/loaded.js';
import { now } from '../store/network.js';
import { pageState } from '../store/page-state.js';
import { readFile } from '../stream/api.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { Choices } from './choices.js';
import { count } from './numbers.js';
import { saveFile } from './save-file.js';

const dayMs = 86_400_000;
const dayOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);
/** The first of a month of a year; months below 0 are of the year before. */
const monthStart = (year: number, month: number): number => Date.UTC(year, month, 1);

type Preset = 'month' | 'lastMonth' | 'year' | 'lastYear' | 'own';

/** First and last day, UTC. */
type Days = readonly [string, string];

const presetDays = (preset: Exclude<Preset, 'own'>, at: number): Days => {
  const [year, month] = [new Date(at).getUTCFullYear(), new Date(at).getUTCMonth()];
  const today = dayOf(at);
  const days: Readonly<Record<typeof preset, Days>> = {
    month: [dayOf(monthStart(year, month)), today],
    lastMonth: [dayOf(monthStart(year, month - 1)), dayOf(monthStart(year, month) - dayMs)],
    year: [dayOf(monthStart(year, 0)), today],
    lastYear: [dayOf(monthStart(year - 1, 0)), dayOf(monthStart(year, 0) - dayMs)],
  };
  return days[preset];
};

const Problem = ({ text }: { readonly text: string }) => (
  <p class="problem" role="alert">
    {text}
  </p>
);

interface DownloadProps {
  readonly address: string;
  /** Milliseconds since 1970; `toTs` is the first one after it. */
  readonly fromTs: number;
  readonly toTs: number;
}

/** The link to a file, and why the service gave none: the browser's own download says nothing of a refusal. */
const Download = ({ address, fromTs, toTs }: DownloadProps) => {
  const failure = useSignal<string>();
  const isLoading = useSignal(false);
  const file = `addresses/${address}/export-transactions/csv?fromTs=${fromTs}&toTs=${toTs}`;
  const name = `${address}-${fromTs}-${toTs}.csv`;
  const download = async (): Promise<void> => {
    [isLoading.value, failure.value] = [true, undefined];
    try {
      saveFile(await readFile(file), name);
    } catch (error) {
      failure.value = failureOf(error).message;
    } finally {
      isLoading.value = false;
    }
  };
  const onClick = (event: Event): void => {
    event.preventDefault();
    if (!isLoading.peek()) void download();
  };
  return (
    <>
      <a class="button" href={file} download={name} aria-busy={isLoading.value} onClick={onClick}>
        {texts.csv.download}
      </a>
      {failure.value !== undefined && <Problem text={failure.value} />}
    </>
  );
};

/** Transactions of an address as a file for spreadsheets. */
export const CsvCard = ({ address }: { readonly address: string }) => {
  const words = texts.csv;
  const preset = useSignal<Preset>('year');
  const own = useSignal<Days>(presetDays('year', now.peek()));
  const [from, to] = preset.value === 'own' ? own.value : presetDays(preset.value, now.value);
  const choose = (value: Preset): void => {
    if (value === 'own') own.value = [from, to];
    preset.value = value;
  };
  const change = (chosen: Days): void => {
    own.value = chosen;
    preset.value = 'own';
  };
  const [fromTs, toTs] = [Date.parse(from), Date.parse(to) + dayMs];
  const { days, transactions } = pageState.exportLimits;
  const problem = fromTs >= toTs ? words.noRange : toTs - fromTs > days * dayMs ? words.tooLong(days) : undefined;
  return (
    <Card title={words.title} aside={<span class="quiet wide-only">{words.hint}</span>} class="csv">
      <Choices
        label={words.time}
        values={(Object.keys(words.presets) as Preset[]).map((each) => [each, words.presets[each]] as const)}
        chosen={preset.value}
        onChoose={choose}
      />
      <div class="days">
        <label>
          {words.from}
          <input type="date" value={from} max={to} onInput={({ currentTarget: { value } }) => change([value, to])} />
        </label>
        <label>
          {words.to}
          <input type="date" value={to} min={from} onInput={({ currentTarget: { value } }) => change([from, value])} />
        </label>
        {problem === undefined ? (
          <Download key={`${fromTs}-${toTs}`} address={address} fromTs={fromTs} toTs={toTs} />
        ) : (
          <Problem text={problem} />
        )}
      </div>
      <p class="quiet">{words.limits(days, count(transactions))}</p>
    </Card>
  );
};
