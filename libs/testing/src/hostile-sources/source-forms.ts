/** Characters of a source at most, as in requests. */
export const longestSource = 256_000;

export interface HostileSource {
  readonly name: string;
  readonly operation: 'script' | 'contract' | 'project' | 'asset script' | 'field literals';
  readonly source: string;
}

export const times = (count: number, text: (index: number) => string, separator = '\n'): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);

/** As often as the length allows. */
export const filling = (part: string, share = 1): string =>
  part.repeat(Math.floor((0.98 * share * longestSource) / part.length));

export const inFunction = (statements: string): string => `Contract A() { pub fn f(x: U256) -> () { ${statements} } }`;
export const asValue = (expression: string): string =>
  `Contract A() { pub fn f(x: U256) -> U256 { let a = ${expression} return a } }`;

export const contract = (name: string, source: string): HostileSource => ({ name, operation: 'contract', source });
export const script = (name: string, source: string): HostileSource => ({ name, operation: 'script', source });
export const project = (name: string, source: string): HostileSource => ({ name, operation: 'project', source });
