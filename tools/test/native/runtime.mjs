/**
 * Runs the files of tests as Node itself loads modules: each library is loaded once in a process, and not anew for each
 * test file, which took most of the time. All else is jest's own: its runner, its `expect`, its reports.
 *
 * Modules are therefore shared by the files that a process runs: what one leaves in a module's state, the next one finds.
 */
import '../../source/register.mjs';
import Module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import jestRuntime from 'jest-runtime';
import { mapOfCompiled } from '../../source/compile.mjs';
import { useGlobals } from './globals.mjs';

Module.register('./globals-loader.mjs', import.meta.url);

/** The files of source maps, by the address of the source. */
class SourceMaps extends Map {
  get(address) {
    return address.startsWith('file:') ? mapOfCompiled(fileURLToPath(address)) : undefined;
  }
}
const sourceMaps = new SourceMaps();

export default class NativeRuntime extends jestRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    useGlobals(this.requireModuleOrMock(path, '@jest/globals'));
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }
}
