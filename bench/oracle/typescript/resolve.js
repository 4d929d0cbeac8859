// Prints where the TypeScript compiler says that the imports of a tree lead, as JSON Lines:
//
//   {"file":"src/a.ts","module":"./b","resolved":["src/b.ts"]}
//
// An import that leads out of the tree has "resolved":[], one that the compiler cannot follow "failed":true. Packages of the
// tree's workspaces are taken as installed: the tree need not be.
//
//   node resolve.js [--node-modules DIR] ROOT
//
// DIR holds the package typescript (5.x); without it, it is looked for as node does.
"use strict";
const fs = require("fs");
const path = require("path");

const args = process.argv.slice(2);
let modules = "";
if (args[0] === "--node-modules") [, modules] = args.splice(0, 2);
const ts = require(modules ? path.resolve(modules, "typescript") : "typescript");
const root = fs.realpathSync(args[0]);

const skipped = new Set(["node_modules", ".git"]);
const sources = [];
const packages = new Map(); // by name: folder
(function walk(dir) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory() && !skipped.has(entry.name)) walk(full);
    if (!entry.isFile()) continue;
    if (/\.([cm]?[jt]s|[jt]sx)$/.test(entry.name)) sources.push(full);
    if (entry.name === "package.json" && dir !== root) {
      try {
        const name = JSON.parse(fs.readFileSync(full, "utf8")).name;
        if (name && !packages.has(name)) packages.set(name, dir);
      } catch {
        // A broken manifest names no package.
      }
    }
  }
})(root);

// link gives the real place of a path below the node_modules that an installation would make in the root.
const installed = path.join(root, "node_modules") + path.sep;
function link(file) {
  if (!file.startsWith(installed)) return file;
  const parts = file.slice(installed.length).split(path.sep);
  const n = parts[0].startsWith("@") ? 2 : 1;
  const dir = packages.get(parts.slice(0, n).join("/"));
  return dir ? path.join(dir, ...parts.slice(n)) : file;
}
const scopes = new Set([...packages.keys()].filter((n) => n.startsWith("@")).map((n) => installed + n.split("/")[0]));
const host = {
  ...ts.sys,
  fileExists: (f) => ts.sys.fileExists(link(f)),
  readFile: (f) => ts.sys.readFile(link(f)),
  directoryExists: (d) => d + path.sep === installed || scopes.has(d) || ts.sys.directoryExists(link(d)),
  realpath: (f) => ts.sys.realpath(link(f)),
  getCurrentDirectory: () => root,
};

const configs = new Map(); // by folder: options
function optionsOf(dir) {
  if (configs.has(dir)) return configs.get(dir);
  let options;
  for (const name of ["tsconfig.json", "jsconfig.json"]) {
    const file = path.join(dir, name);
    if (!options && ts.sys.fileExists(file)) {
      const raw = ts.readConfigFile(file, ts.sys.readFile);
      options = ts.parseJsonConfigFileContent(raw.config ?? {}, { ...ts.sys, readDirectory: () => [] }, dir).options;
    }
  }
  options ??= dir === root || path.dirname(dir) === dir ? {} : optionsOf(path.dirname(dir));
  options = { ...options, allowJs: true, resolveJsonModule: false, moduleResolution: ts.ModuleResolutionKind.Bundler };
  configs.set(dir, options);
  return options;
}

for (const file of sources) {
  const text = fs.readFileSync(file, "utf8");
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  (function visit(node) {
    let name;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) name = node.moduleSpecifier;
    else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) name = node.moduleReference.expression;
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) name = node.argument.literal;
    else if (ts.isCallExpression(node) && node.arguments.length >= 1) {
      const callee = node.expression;
      if (callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require")) name = node.arguments[0];
    }
    if (name && ts.isStringLiteralLike(name)) found.push(name.text);
    ts.forEachChild(node, visit);
  })(tree);
  for (const module of found) {
    const answer = ts.resolveModuleName(module.split("?")[0], file, optionsOf(path.dirname(file)), host).resolvedModule;
    const record = { file: path.relative(root, file), module, resolved: [] };
    if (!answer) record.failed = true;
    else {
      const rel = path.relative(root, link(answer.resolvedFileName));
      if (!rel.startsWith("..") && !rel.split(path.sep).includes("node_modules")) record.resolved.push(rel);
    }
    fs.writeSync(1, JSON.stringify(record) + "\n");
  }
}
