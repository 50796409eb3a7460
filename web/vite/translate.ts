import { transformAsync, types, type NodePath, type PluginObj } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { getCatalogs } from '@lingui/cli/api';
import type { LinguiConfigNormalized } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

const MACRO = /@lingui\/(core|react)\/macro/;

type Tokens = ReturnType<typeof compileMessage>;

/** The value of a property of an object literal that is written as a string. */
function stringOf(node: types.ObjectExpression, name: string): string | undefined {
  const property = propertyOf(node, name);
  return property && types.isStringLiteral(property.value) ? property.value.value : undefined;
}

function propertyOf(node: types.ObjectExpression, name: string): types.ObjectProperty | undefined {
  return node.properties.find(
    (property): property is types.ObjectProperty =>
      types.isObjectProperty(property) && types.isIdentifier(property.key, { name }),
  );
}

/** Whether the macros wrote this object: they mark what they write. */
const isDescriptor = (node: types.ObjectExpression) =>
  node.leadingComments?.some((comment) => comment.value.trim() === 'i18n') ?? false;

/** Puts the text into the place of a descriptor: a plain string where it has no parts, else its compiled form. */
function settle(path: NodePath<types.ObjectExpression>, tokens: Tokens): void {
  const plain = tokens.every((token) => typeof token === 'string') ? tokens.join('') : undefined;
  if (plain !== undefined && path.parentPath.isCallExpression()) {
    path.parentPath.replaceWith(types.stringLiteral(plain));
    return;
  }
  const message = propertyOf(path.node, 'message');
  if (message) message.value = types.valueToNode(tokens);
}

/** The Babel plugin that runs after the macros: each descriptor gets its text in the language of the build. */
export function settleMessages(textOf: (id: string, message: string) => string): PluginObj {
  return {
    visitor: {
      Program: {
        exit: (program) =>
          program.traverse({
            ObjectExpression(path) {
              if (!isDescriptor(path.node)) return;
              const id = stringOf(path.node, 'id');
              const message = stringOf(path.node, 'message');
              if (id === undefined || message === undefined) return;
              settle(path, compileMessage(textOf(id, message)));
            },
          }),
      },
    },
  };
}

/** The translations of a language by the ids of their messages. */
export async function readCatalogue(config: LinguiConfigNormalized, language: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const catalog of await getCatalogs(config)) {
    const texts = await catalog.read(language);
    for (const [id, { translation = '' }] of Object.entries(texts ?? {})) found[id] = translation;
  }
  return found;
}

interface Options {
  /** Lingui's own configuration; read late, because only a build or a test needs it. */
  config: () => Promise<LinguiConfigNormalized>;
  language: string;
  sourceLanguage: string;
}

/**
 * Runs Lingui's macros. A build settles every text in its language, so that a page carries its own words in one
 * language and no catalogue is loaded; a text without a translation stops it. Tests and the development server of the
 * web client leave the texts to Lingui's runtime.
 */
export function translate({ config, language, sourceLanguage }: Options): Plugin {
  let settled = false;
  let linguiConfig: LinguiConfigNormalized | undefined;
  let catalogue: Record<string, string> = {};
  const textOf = (id: string, message: string): string => {
    if (language === sourceLanguage) return message;
    const text = catalogue[id];
    if (!text)
      throw new Error(`src/locales/${language}.po has no translation of “${message}”; npm run messages adds it`);
    return text;
  };
  return {
    name: 'translate',
    enforce: 'pre',
    async configResolved({ command, mode }) {
      settled = command === 'build' && mode !== 'test';
      linguiConfig = await config();
      if (language !== sourceLanguage) catalogue = await readCatalogue(linguiConfig, language);
    },
    transform: {
      filter: { id: /\.tsx?$/, code: MACRO },
      async handler(code, id) {
        const result = await transformAsync(code, {
          filename: id,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: ['typescript', 'jsx'] },
          plugins: [
            [macros, { linguiConfig, stripNonEssentialFields: false, stripMessageField: false }],
            ...(settled ? [settleMessages(textOf)] : []),
          ],
        });
        return result?.code ? { code: result.code, map: result.map } : null;
      },
    },
  };
}
