import {
  transformAsync,
  transformFromAstAsync,
  types,
  type NodePath,
  type PluginObj,
  type TransformOptions,
} from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import PO from 'pofile';
import type { Plugin } from 'vite';
import { RUNTIME } from './runtime.ts';
import type { Shared } from './shared.ts';

/** What the macros import. */
const IMPORTED = Object.values(RUNTIME).map(([file]) => file);
const PLURAL = '_pluralOf';
const SHOWN = '_shown';
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];
const MACRO = /@lingui\/(core|react)\/macro/;

type Tokens = ReturnType<typeof compileMessage>;

/** The value of a property of an object literal that is written as a string. */
function stringOf(node: types.ObjectExpression, name: string): string | undefined {
  const property = propertyNamed(node, name);
  return property && types.isStringLiteral(property.value) ? property.value.value : undefined;
}

/** The property of an object literal by its name, however the name is written: {count}, {0: …}. */
function propertyNamed(node: types.ObjectExpression, name: string): types.ObjectProperty | undefined {
  return node.properties.find(
    (property): property is types.ObjectProperty =>
      types.isObjectProperty(property) &&
      (types.isIdentifier(property.key)
        ? property.key.name === name
        : (types.isStringLiteral(property.key) || types.isNumericLiteral(property.key)) &&
          String(property.key.value) === name),
  );
}

/** An object literal that is a property of another one. */
function objectIn(node: types.ObjectExpression, name: string): types.ObjectExpression | undefined {
  const value = propertyNamed(node, name)?.value;
  return types.isObjectExpression(value) ? value : undefined;
}

/** Whether the macros wrote this object: they mark what they write. */
const isDescriptor = (node: types.ObjectExpression) =>
  node.leadingComments?.some((comment) => comment.value.trim() === 'i18n') ?? false;

/** The text as a string, or as strings and values in a row. */
function inRow(tokens: Tokens, values: types.ObjectExpression | undefined): types.Expression | undefined {
  const parts: types.Expression[] = [];
  const quasis = [''];
  for (const token of tokens) {
    if (typeof token === 'string') {
      quasis[quasis.length - 1] += token;
      continue;
    }
    const value = valueOf(token, values);
    if (!value) return undefined;
    parts.push(value);
    quasis.push('');
  }
  if (parts.length === 0) return types.stringLiteral(quasis.join(''));
  const escaped = (text: string) => text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`);
  const last = quasis.length - 1;
  return types.templateLiteral(
    quasis.map((text, at) => types.templateElement({ raw: escaped(text), cooked: text }, at === last)),
    parts,
  );
}

/** The value of a part: the expression of that name, or the form of a plural that its number asks for. */
function valueOf(token: Exclude<Tokens[number], string>, values: types.ObjectExpression | undefined) {
  const [name = '', type, format] = token;
  const value = values && propertyNamed(values, name)?.value;
  if (!types.isExpression(value)) return undefined;
  if (!type) return types.cloneNode(value);
  if (type !== 'plural' || typeof format !== 'object') return undefined;
  const forms: types.ObjectProperty[] = [];
  for (const [form, text] of Object.entries(format as Record<string, Tokens | undefined>)) {
    if (text === undefined) continue;
    // Exact numbers and offsets are in no text; they would need more than a form.
    if (!FORMS.includes(form)) return undefined;
    const words: Tokens = (Array.isArray(text) ? text : [text]).map((part) => (part === '#' ? [SHOWN] : part));
    const shown = types.objectExpression([types.objectProperty(types.identifier(SHOWN), types.identifier(SHOWN))]);
    shown.properties.push(...(values?.properties ?? []));
    const row = inRow(words, shown);
    if (!row) return undefined;
    forms.push(types.objectProperty(types.identifier(form), row));
  }
  const choose = types.arrowFunctionExpression([types.identifier(SHOWN)], types.objectExpression(forms));
  return types.callExpression(types.identifier(PLURAL), [types.cloneNode(value), choose]);
}

const TAG = /(<\/?\w+\/?>)/;

/** A text with elements as markup: each element of the source with the words that stand in it here. */
function asMarkup(tokens: Tokens, descriptor: types.ObjectExpression): types.JSXFragment | undefined {
  const values = objectIn(descriptor, 'values');
  const components = objectIn(descriptor, 'components');
  const top: types.JSXFragment['children'] = [];
  const open: { name: string; children: types.JSXFragment['children'] }[] = [];
  const add = (node: types.JSXFragment['children'][number]) => (open.at(-1)?.children ?? top).push(node);
  const element = (name: string, children: types.JSXFragment['children']): boolean => {
    const source = components && propertyNamed(components, name)?.value;
    if (!types.isJSXElement(source)) return false;
    const { name: tag, attributes } = types.cloneNode(source.openingElement);
    add(
      children.length > 0
        ? types.jsxElement(types.jsxOpeningElement(tag, attributes), types.jsxClosingElement(tag), children)
        : types.jsxElement(types.jsxOpeningElement(tag, attributes, true), null, []),
    );
    return true;
  };
  for (const token of tokens) {
    if (typeof token !== 'string') {
      const value = valueOf(token, values);
      if (!value) return undefined;
      add(types.jsxExpressionContainer(value));
      continue;
    }
    for (const piece of token.split(TAG).filter(Boolean)) {
      const [, closing, name = '', alone] = /^<(\/?)(\w+)(\/?)>$/.exec(piece) ?? [];
      if (name === '') add(types.jsxExpressionContainer(types.stringLiteral(piece)));
      else if (alone) {
        if (!element(name, [])) return undefined;
      } else if (!closing) open.push({ name, children: [] });
      else {
        const ended = open.pop();
        if (ended?.name !== name || !element(name, ended.children)) return undefined;
      }
    }
  }
  return open.length > 0 ? undefined : types.jsxFragment(types.jsxOpeningFragment(), types.jsxClosingFragment(), top);
}

/** Puts the text into the place of a descriptor. */
function settle(path: NodePath<types.ObjectExpression>, tokens: Tokens): void {
  const around = path.parentPath;
  const element = around.isJSXSpreadAttribute() ? around.parentPath.parentPath : undefined;
  const text = around.isCallExpression() ? inRow(tokens, objectIn(path.node, 'values')) : undefined;
  const markup = element?.isJSXElement() ? asMarkup(tokens, path.node) : undefined;
  if (text) around.replaceWith(text);
  else if (element && markup) element.replaceWith(markup);
  else throw path.buildCodeFrameError('This text can not be settled by the build: write it as t, plural or <Trans>.');
}

/** Takes the imports away that the macros wrote: nothing of Lingui runs in a page. */
function forgetUnused(program: NodePath<types.Program>): void {
  program.scope.crawl();
  for (const statement of program.get('body')) {
    if (!statement.isImportDeclaration() || !IMPORTED.includes(statement.node.source.value)) continue;
    const used = statement.node.specifiers.some(({ local }) => program.scope.getBinding(local.name)?.referenced);
    if (!used) statement.remove();
  }
}

/** Brings in what chooses the form of a plural, where there is one. */
function importPlural(program: NodePath<types.Program>): void {
  const calls: types.CallExpression[] = [];
  program.traverse({
    CallExpression({ node }) {
      if (types.isIdentifier(node.callee, { name: PLURAL })) calls.push(node);
    },
  });
  if (calls.length === 0) return;
  const name = types.importSpecifier(types.identifier(PLURAL), types.identifier('pluralOf'));
  program.node.body.unshift(types.importDeclaration([name], types.stringLiteral('@/lib/plural')));
}

/** The Babel plugin that runs after the macros: each descriptor gets its text in the language of the build. */
export function settleMessages(textOf: (id: string, message: string) => string): PluginObj {
  return {
    visitor: {
      Program: {
        exit(program) {
          program.traverse({
            ObjectExpression(path) {
              if (!isDescriptor(path.node)) return;
              const id = stringOf(path.node, 'id');
              const message = stringOf(path.node, 'message');
              if (id === undefined || message === undefined) return;
              settle(path, compileMessage(textOf(id, message)));
            },
          });
          forgetUnused(program);
          importPlural(program);
        },
      },
    },
  };
}

/** The translations of a catalogue by the ids of their messages. */
export function translationsOf(catalogue: string): Record<string, string> {
  const items = PO.parse(catalogue).items;
  return Object.fromEntries(
    items.map(({ msgid, msgctxt, msgstr: [translation = ''] }) => [generateMessageId(msgid, msgctxt), translation]),
  );
}

const parsing: TransformOptions = {
  babelrc: false,
  configFile: false,
  parserOpts: { plugins: ['typescript', 'jsx'] },
};
const linguiConfig = makeConfig({ runtimeConfigModule: RUNTIME }, { skipValidation: true });
const expand = [macros, { linguiConfig, stripNonEssentialFields: false, stripMessageField: false }];

interface Options {
  language: string;
  sourceLanguage: string;
  /** Reads the catalogue of the language; asked only where it is another one than that of the source. */
  catalogue: () => Promise<string>;
  shared: Shared;
}

/**
 * Runs Lingui's macros. A build settles every text in its language, so that a page carries its own words in one
 * language and no catalogue is loaded; a text without a translation stops it. In English, tests and the development
 * server leave the texts to Lingui's runtime.
 */
export function translate({ language, sourceLanguage, catalogue, shared }: Options): Plugin {
  const inSource = language === sourceLanguage;
  let settled = false;
  let sourceMaps = false;
  let translations: Record<string, string> = {};
  const textOf = (id: string, message: string): string => {
    if (inSource) return message;
    const text = translations[id];
    if (!text)
      throw new Error(`src/locales/${language}.po has no translation of “${message}”; npm run messages adds it`);
    return text;
  };
  /** A file with the macros expanded, which is the same in every language. */
  const expanded = (code: string, filename: string) =>
    shared.once(`expanded ${filename}`, () =>
      transformAsync(code, { ...parsing, filename, ast: true, code: false, plugins: [expand] }),
    );
  const inLanguage = async (code: string, filename: string) => {
    const ast = (await expanded(code, filename))?.ast;
    return (
      ast && transformFromAstAsync(ast, code, { ...parsing, filename, sourceMaps, plugins: [settleMessages(textOf)] })
    );
  };
  return {
    name: 'translate',
    enforce: 'pre',
    async configResolved({ command, mode, build }) {
      settled = (command === 'build' && mode !== 'test') || !inSource;
      sourceMaps = command === 'serve' || Boolean(build.sourcemap);
      if (!inSource) translations = translationsOf(await catalogue());
    },
    transform: {
      filter: { id: /\.tsx?$/, code: MACRO },
      async handler(code, filename) {
        const result = await (settled
          ? shared.once(`${language} ${filename}`, () => inLanguage(code, filename))
          : transformAsync(code, { ...parsing, filename, sourceMaps, plugins: [expand] }));
        return result?.code ? { code: result.code, map: result.map ?? null } : null;
      },
    },
  };
}
