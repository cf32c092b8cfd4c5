/** How TypeScript is compiled that runs from its source, as tsconfig.base.json says; types are checked by a step of their own. */
export const compilerOptions = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};
