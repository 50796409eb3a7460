export default {
  extends: 'stylelint-config-standard-scss',
  rules: {
    'color-hex-length': 'long',
    'color-named': 'never',
    'color-no-hex': [true, { message: 'no hex colours outside src/styles/_tokens.scss' }],
    'custom-property-empty-line-before': null,
    // A name in quotes is a face of our own, one without them a face of the system.
    'font-family-name-quotes': null,
    'property-no-vendor-prefix': [true, { ignoreProperties: ['-webkit-text-size-adjust'] }],
    // Bootstrap's own Sass is of the time of @import, and _bootstrap.scss speaks with it.
    'scss/no-global-function-names': null,
    'value-keyword-case': ['lower', { ignoreKeywords: ['optimizeLegibility'] }],
  },
  overrides: [{ files: ['src/styles/_{tokens,bootstrap}.scss'], rules: { 'color-no-hex': null } }],
};
