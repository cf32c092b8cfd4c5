import { contractIdOf } from './contract-address.js';

/** The pages of the explorer; each has the name of its module in `apps/explorer/web/pages`. */
export type PageName =
  | 'about'
  | 'address'
  | 'block'
  | 'blocks'
  | 'chain'
  | 'contract'
  | 'find'
  | 'network'
  | 'pending'
  | 'rich-list'
  | 'stats'
  | 'token'
  | 'transaction'
  | 'transactions';

interface PageForm {
  /** Of some it depends on the subject. */
  readonly page: PageName | ((subject: string) => PageName);
  /** The beginnings of its paths: first its own, then those of the API and of other explorers, which wallets link to. */
  readonly beginnings: readonly [string, ...string[]];
  /** Form of what follows the beginning, its subject in brackets; absent: nothing follows. */
  readonly subject?: string;
}

/** Case means nothing in it. */
const hash = '(?:0x)?([0-9a-f]{64})';
/** Other networks of this protocol end an address with its group. */
const address = '([0-9A-Za-z]+)(?::\\d{1,3})?';

/** All paths of pages (protocol 08 §8.2) and their aliases. The service, the page and its search read this table. */
const pageForms: readonly PageForm[] = [
  { page: 'network', beginnings: ['', 'index.html'] },
  { page: 'transaction', beginnings: ['tx', 'txs', 'transaction', 'transactions'], subject: hash },
  { page: 'transactions', beginnings: ['transactions', 'txs'] },
  { page: 'block', beginnings: ['block', 'blocks'], subject: hash },
  { page: 'blocks', beginnings: ['block', 'blocks'] },
  {
    page: (subject) => (contractIdOf(subject) === undefined ? 'address' : 'contract'),
    beginnings: ['address', 'addresses', 'account', 'accounts', 'contract', 'contracts'],
    subject: address,
  },
  { page: 'chain', beginnings: ['chain', 'chains'], subject: '(\\d{1,2}/\\d{1,2})' },
  { page: 'token', beginnings: ['token', 'tokens'], subject: hash },
  { page: 'pending', beginnings: ['pending', 'mempool', 'mempool/transactions'] },
  { page: 'stats', beginnings: ['stats', 'statistics', 'charts'] },
  { page: 'find', beginnings: ['find', 'search'] },
  { page: 'rich-list', beginnings: ['richlist', 'rich-list'] },
  { page: 'about', beginnings: ['about'] },
];

const forms = pageForms.map(({ page, beginnings, subject }) => ({
  page,
  own: beginnings[0],
  form: new RegExp(`^(?:${beginnings.join('|')})${subject === undefined ? '()' : `/${subject}`}$`, 'i'),
  isHash: subject === hash,
}));

/** A page, and what it shows. */
export interface PlaceOfPage {
  readonly page: PageName;
  /** Hash, id, address or chain; empty where the page has none. */
  readonly subject: string;
  /** The page's own path, without a slash before it. */
  readonly path: string;
}

/** A text as it was before it was percent-encoded; one that is malformed as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A path as people read it: decoded, without slashes around it. @param path percent-encoded, without a query */
export const readablePath = (path: string): string => decoded(path).split('/').filter(Boolean).join('/');

/** The page of a path or of an alias of it; undefined: there is none. @param path percent-encoded or readable, no query */
export const pageAt = (path: string): PlaceOfPage | undefined => {
  const readable = readablePath(path);
  const found = forms.find(({ form }) => form.test(readable));
  if (found === undefined) return undefined;
  const { page, own, form, isHash } = found;
  const given = form.exec(readable)![1]!;
  const subject = isHash ? given.toLowerCase() : given;
  return {
    page: typeof page === 'function' ? page(subject) : page,
    subject,
    path: subject === '' ? own : `${own}/${subject}`,
  };
};

/**
 * The path and query behind `#/` or `#!/`, where pages that route by the fragment have them; undefined: the fragment is a
 * place on a page. @param fragment with its `#`
 */
export const pathInFragment = (fragment: string): { readonly path: string; readonly query: string } | undefined => {
  const [, path, query = ''] = /^#!?\/([^?]*)(\?.*)?$/.exec(fragment) ?? [];
  return path === undefined ? undefined : { path, query };
};
