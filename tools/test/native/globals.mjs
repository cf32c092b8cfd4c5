/**
 * What `@jest/globals` is to modules that outlive a test file: each function is that of the file being run.
 */
let current;

/** Says of which test file the functions are, before it is loaded. */
export const useGlobals = (globals) => {
  current = globals;
};

const forwarded = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, self, values) => Reflect.apply(current[name], self, values),
    get: (_target, property) => current[name][property],
    set: (_target, property, value) => Reflect.set(current[name], property, value),
    has: (_target, property) => Reflect.has(current[name], property),
  });

export const afterAll = forwarded('afterAll');
export const afterEach = forwarded('afterEach');
export const beforeAll = forwarded('beforeAll');
export const beforeEach = forwarded('beforeEach');
export const describe = forwarded('describe');
export const expect = forwarded('expect');
export const it = forwarded('it');
export const jest = forwarded('jest');
export const test = forwarded('test');
