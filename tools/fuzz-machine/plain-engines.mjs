/**
 * `node --import plain-engines.mjs`: fast engines do not load, so hashes and signatures are computed in plain
 * JavaScript.
 */
import Module from 'node:module';

Module.register('./plain-engines-loader.mjs', import.meta.url);
