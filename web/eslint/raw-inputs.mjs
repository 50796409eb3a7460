const RAW = new Set(['input', 'select', 'textarea']);

/**
 * Fields come from the form kit, which connects label, hint and error.
 * @type {import('eslint').Rule.RuleModule}
 */
export const rawInputs = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { raw: 'Use a field of ui/form instead of <{{name}}>.' },
  },
  create: (context) => ({
    /** @param {{ loc?: import('eslint').AST.SourceLocation, name: { name?: string } }} node */
    JSXOpeningElement({ loc, name: { name = '' } }) {
      if (loc && RAW.has(name)) context.report({ loc, messageId: 'raw', data: { name } });
    },
  }),
};
