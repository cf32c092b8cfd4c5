#!/usr/bin/env node
// In place before the build: npm links it while it installs.
import '../dist/main.js';
