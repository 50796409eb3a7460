const HOOK = /^use($|[A-Z])/;

/**
 * The name of what is called: `useQuery` of `useQuery()` and of `React.useQuery()`.
 * @param {Parameters<NonNullable<import('eslint').Rule.RuleListener['CallExpression']>>[0]} call
 */
function calledName({ callee }) {
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' ? name.name : '';
}

/**
 * A component or hook that calls more hooks than this has more than one thing to do.
 * @type {import('eslint').Rule.RuleModule}
 */
export const maxHooks = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 1 }],
    messages: {
      tooMany: 'This calls {{count}} hooks, and at most {{max}} are allowed: make a hook of what belongs together.',
    },
  },
  create(context) {
    const max = context.options[0] ?? 8;
    /** @type {number[]} */
    const counts = [];
    return {
      ':function': () => counts.push(0),
      CallExpression(node) {
        if (counts.length > 0 && HOOK.test(calledName(node))) counts.push((counts.pop() ?? 0) + 1);
      },
      /** @param {import('eslint').Rule.Node} node */
      ':function:exit'(node) {
        const count = counts.pop() ?? 0;
        if (count > max) context.report({ node, messageId: 'tooMany', data: { count: String(count), max } });
      },
    };
  },
};
