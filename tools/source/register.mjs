/** `node --import tools/source/register.mjs program.ts` runs a program from its source. */
import Module from 'node:module';

Module.register('./loader.mjs', import.meta.url);
