export default {
  extends: 'stylelint-config-standard-scss',
  rules: {
    'color-hex-length': 'long',
    'color-named': 'never',
    'color-no-hex': [true, { message: 'no hex colours outside src/styles/_tokens.scss' }],
    'custom-property-empty-line-before': null,
    // A declaration follows the layout that its rule includes.
    'declaration-empty-line-before': null,
    // A name in quotes is a face of our own, one without them a face of the system.
    'font-family-name-quotes': null,
    // Space, text and radii are steps of src/styles/_scale.scss and _tokens.scss.
    'declaration-property-value-disallowed-list': [
      {
        '/^(padding|margin|gap|row-gap|column-gap)/': [
          '/(^| )(2|4|6|8|10|12|14|16|20|24|28|32|36|40|48|56|64|72|80|96|120)px/',
          '/(^| )[0-9.]+rem/',
        ],
        'font-size': ['/^(12|13|14|15|16|18|20|24|32)px/'],
        '/border.*radius$/': ['/(^| )(6|8|12|99|999)px/'],
      },
      { message: 'name a step of src/styles/_scale.scss or _tokens.scss' },
    ],
    'property-no-vendor-prefix': [true, { ignoreProperties: ['-webkit-text-size-adjust'] }],
    // Bootstrap's own Sass is of the time of @import, and _bootstrap.scss speaks with it.
    'scss/no-global-function-names': null,
    'value-keyword-case': ['lower', { ignoreKeywords: ['optimizeLegibility'] }],
  },
  overrides: [{ files: ['src/styles/_tokens.scss'], rules: { 'color-no-hex': null } }],
};
