import { type Signal, signal } from '@preact/signals';
import { type VNode } from 'preact';
import { type ApiFailure } from '../stream/api.js';
import { failureOf } from '../store/loaded.js';

/** Makes a page of what is in the brackets of the form of its path. */
type MakePage = (part: string) => VNode;

/** Where the code of a page is. */
export interface PageCode {
  /** Undefined while it is read. */
  readonly make: Signal<MakePage | undefined>;
  readonly failure: Signal<ApiFailure | undefined>;
  readonly load: () => Promise<void>;
}

/** A page in the first script. */
export const page = (make: MakePage): PageCode => ({
  make: signal(make),
  failure: signal(undefined),
  load: () => Promise.resolve(),
});

/** A page with a script of its own, which is read when somebody is about to go there. */
export const lazyPage = (read: () => Promise<MakePage>): PageCode => {
  const make = signal<MakePage | undefined>(undefined);
  const failure = signal<ApiFailure | undefined>(undefined);
  let reading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    try {
      make.value = await read();
    } catch (error) {
      failure.value = failureOf(error);
    }
  };
  return { make, failure, load: () => (reading ??= load()) };
};
