/**
 * jest's surroundings for modules that Node loads: `expect` knows an error, a map or a date by the same constructors as
 * they do, and leaves alone what outlives a test file.
 */
import { TestEnvironment } from 'jest-environment-node';

const shared = [
  ...[
    'Boolean',
    'Number',
    'String',
    'BigInt',
    'Symbol',
    'Object',
    'Array',
    'Function',
    'Promise',
    'Date',
    'RegExp',
    'Map',
    'Set',
    'WeakMap',
    'WeakSet',
  ],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  ...['DataView', 'SharedArrayBuffer', 'Int8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array'],
  ...['Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
];

export default class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of shared) this.global[name] = globalThis[name];
  }
}
