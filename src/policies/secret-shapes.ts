/** Where a secret has to begin. */
export type Edge = 'word' | 'run'

/**
 * A kind of secret, by what it looks like: texts that stand in all of them, and an expression that matches where one of these
 * stands. `before` in it is what belongs to the secret before that, `skip` what does not. Its repetitions have
 * bounds, and nothing has to follow its `rest`: so a text is read once, whatever it is, and no stack grows with it.
 */
export interface SecretShape {
  readonly kind: string
  readonly anchors: readonly string[]
  readonly expression: RegExp
  /** What must begin with it: a word, or a run of letters, digits, - and _. */
  readonly edge: Edge | undefined
  /** The characters that go on after what the expression matches: those of a class. */
  readonly rest: string
}

const shape = (
  kind: string,
  anchors: string,
  expression: RegExp,
  { rest = '', edge }: { readonly rest?: string; readonly edge?: Edge } = {},
): SecretShape => ({ kind, anchors: anchors.split(' '), expression, rest, edge })

/**
 * The shapes that vendors gave their tokens so that they can be found. Read against the rules of gitleaks and secretlint in
 * November 2026; docs/decisions/redact.md has the sources.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  shape('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[pousr]_[A-Za-z0-9_]{36}/y, { rest: 'A-Za-z0-9_' }),
  shape('github-token', 'github_pat_', /github_pat_[A-Za-z0-9_]{22}/y, { rest: 'A-Za-z0-9_' }),
  shape(
    'gitlab-token',
    'glpat- gldt- glptt- glft- glsoat- glrt- glcbt- glimt- glagent- gloas-',
    /gl[a-z]{2,5}-[A-Za-z0-9_-]{20}/y,
    { edge: 'word', rest: 'A-Za-z0-9_.-' },
  ),
  shape('aws-access-key', 'AKIA ASIA ABIA ACCA', /A(?:KI|SI|BI|CC)A[A-Z0-9]{16}/y, { edge: 'word' }),
  shape('google-key', 'AIza', /AIza[A-Za-z0-9_-]{35}/y),
  shape('google-key', 'ya29.', /ya29\.[A-Za-z0-9_-]{20}/y, { rest: 'A-Za-z0-9_-' }),
  shape('google-key', 'GOCSPX-', /GOCSPX-[A-Za-z0-9_-]{28}/y),
  shape('google-key', '1//0', /1\/\/0[A-Za-z0-9_-]{40}/y, { edge: 'word', rest: 'A-Za-z0-9_-' }),
  shape(
    'slack-token',
    'xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs-',
    /xox[a-z](?:\.xox[bp])?-[A-Za-z0-9-]{10}/y,
    { rest: 'A-Za-z0-9-' },
  ),
  shape('slack-token', 'xapp-', /xapp-[0-9]-[A-Za-z0-9-]{10}/y, { rest: 'A-Za-z0-9-' }),
  shape(
    'slack-webhook',
    'hooks.slack.com/',
    /(?<skip>hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9_/+-]{20}/y,
    { rest: 'A-Za-z0-9_/+-' },
  ),
  shape('anthropic-key', 'sk-', /sk-ant-[A-Za-z0-9_-]{20}/y, { rest: 'A-Za-z0-9_-' }),
  shape('openai-key', 'sk-', /sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20}/y, { rest: 'A-Za-z0-9_-' }),
  shape('openai-key', 'sk-', /sk-(?:or-v1-)?[A-Za-z0-9]{32}/y, { edge: 'word', rest: 'A-Za-z0-9' }),
  shape('groq-key', 'gsk_', /gsk_[A-Za-z0-9]{40}/y, { edge: 'word', rest: 'A-Za-z0-9' }),
  shape('xai-key', 'xai-', /xai-[A-Za-z0-9]{70}/y, { edge: 'word', rest: 'A-Za-z0-9' }),
  shape('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{40}/y, { edge: 'word', rest: 'A-Za-z0-9' }),
  shape('replicate-token', 'r8_', /r8_[A-Za-z0-9]{37}/y, { edge: 'word', rest: 'A-Za-z0-9' }),
  shape('huggingface-token', 'hf_ api_org_', /(?:hf|api_org)_[A-Za-z0-9]{34}/y, {
    edge: 'word',
    rest: 'A-Za-z0-9',
  }),
  shape('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_', /[sr]k_(?:live|test)_[A-Za-z0-9]{16}/y, {
    edge: 'word',
    rest: 'A-Za-z0-9',
  }),
  shape('webhook-secret', 'whsec_', /whsec_[A-Za-z0-9+/]{24}/y, { edge: 'word', rest: '=A-Za-z0-9+/' }),
  shape('npm-token', 'npm_', /npm_[A-Za-z0-9]{36}/y, { edge: 'word', rest: 'A-Za-z0-9' }),
  shape('pypi-token', 'pypi-AgE', /pypi-AgE[A-Za-z0-9_-]{50}/y, { rest: 'A-Za-z0-9_-' }),
  shape('docker-token', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[A-Za-z0-9_-]{27}/y, { rest: 'A-Za-z0-9_-' }),
  shape('digitalocean-token', 'doo_v1_ dop_v1_ dor_v1_', /do[opr]_v1_[0-9a-f]{64}/y),
  shape('shopify-token', 'shpat_ shpca_ shppa_ shpss_', /shp[a-z]{2}_[A-Za-z0-9]{32}/y, {
    rest: 'A-Za-z0-9',
  }),
  shape('sendgrid-key', 'SG.', /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16}/y, {
    edge: 'word',
    rest: 'A-Za-z0-9_-',
  }),
  shape('twilio-key', 'SK', /SK[0-9a-f]{32}/y, { edge: 'word' }),
  shape('mailgun-key', 'key-', /key-[0-9a-f]{32}/y, { edge: 'word' }),
  shape('mailchimp-key', '-us', /(?<=(?<before>[0-9a-f]{32}))-us[0-9]{1,2}/y, { edge: 'word' }),
  shape('databricks-token', 'dapi', /dapi[0-9a-f]{32}(?:-[0-9])?/y, { edge: 'word' }),
  shape('vault-token', 'hvb. hvs. hvr.', /hv[bsr]\.[A-Za-z0-9_-]{24}/y, {
    edge: 'word',
    rest: 'A-Za-z0-9_-',
  }),
  shape('terraform-token', '.atlasv1.', /(?<=(?<before>[A-Za-z0-9]{14}))\.atlasv1\.[A-Za-z0-9_=-]{60}/y, {
    rest: 'A-Za-z0-9_=-',
  }),
  shape('grafana-token', 'glc_', /glc_[A-Za-z0-9+/]{32}/y, { edge: 'word', rest: '=A-Za-z0-9+/' }),
  shape('grafana-token', 'glsa_', /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/y, { edge: 'word' }),
  shape('linear-key', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[A-Za-z0-9]{32}/y, { rest: 'A-Za-z0-9' }),
  shape('notion-token', 'ntn_', /ntn_[A-Za-z0-9]{40}/y, { edge: 'word', rest: 'A-Za-z0-9' }),
  shape('notion-token', 'secret_', /secret_[A-Za-z0-9]{43}/y, { edge: 'word' }),
  shape('figma-token', 'figd_', /figd_[A-Za-z0-9_-]{40}/y, { edge: 'word', rest: 'A-Za-z0-9_-' }),
  shape('vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', /vc[a-z]_[A-Za-z0-9]{20}/y, {
    edge: 'word',
    rest: 'A-Za-z0-9',
  }),
  shape('netlify-token', 'nfp_ nfc_ nfo_ nfu_ nfb_', /nf[a-z]_[A-Za-z0-9_]{36}/y, {
    edge: 'word',
    rest: 'A-Za-z0-9_',
  }),
  shape('supabase-key', 'sbp_', /sbp_[a-f0-9]{40}/y, { edge: 'word' }),
  shape('supabase-key', 'sb_secret_', /sb_secret_[A-Za-z0-9_-]{20}/y, { edge: 'word', rest: 'A-Za-z0-9_-' }),
  shape('planetscale-token', 'pscale_', /pscale_(?:tkn|oauth|pw)_[A-Za-z0-9=._-]{32}/y, {
    rest: 'A-Za-z0-9=._-',
  }),
  shape('postman-key', 'PMAK-', /PMAK-[A-Za-z0-9]{24}-[A-Za-z0-9]{34}/y),
  shape('newrelic-key', 'NRAK-', /NRAK-[A-Z0-9]{27}/y, { edge: 'word' }),
  shape('sentry-token', 'sntrys_ sntryu_', /sntry[su]_[A-Za-z0-9+/=_-]{40}/y, { rest: 'A-Za-z0-9+/=_-' }),
  shape('age-key', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z0-9]{58}/y),
  shape('onepassword-token', 'ops_eyJ', /ops_eyJ[A-Za-z0-9+/=_-]{100}/y, { rest: 'A-Za-z0-9+/=_-' }),
  shape('telegram-token', ':AA', /(?<=(?<before>[0-9]{8,10})):AA[A-Za-z0-9_-]{33}/y, { edge: 'word' }),
  shape(
    'discord-token',
    '.',
    /(?=\.[A-Za-z0-9_-]{6}\.)(?<=(?<before>[MNO][A-Za-z0-9_-]{23,27}))\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}/y,
    { edge: 'run', rest: 'A-Za-z0-9_-' },
  ),
  shape('atlassian-token', 'ATATT3', /ATATT3[A-Za-z0-9_=-]{100}/y, { rest: 'A-Za-z0-9_=-' }),
  shape('azure-key', 'AccountKey= SharedAccessKey=', /(?<skip>[A-Za-z]+=)[A-Za-z0-9+/]{40}/y, {
    rest: '=A-Za-z0-9+/',
  }),
  shape('azure-secret', 'Q~', /(?<=(?<before>[A-Za-z0-9_~.]{3}[0-9]))Q~[A-Za-z0-9_~.-]{31}/y, {
    edge: 'word',
    rest: 'A-Za-z0-9_~.-',
  }),
  shape('jwt', 'eyJ', /eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8}/y, {
    edge: 'run',
    rest: 'A-Za-z0-9_.-',
  }),
  shape('private-key', '-----BEGIN', /-----BEGIN[ A-Z]{0,40}PRIVATE KEY(?: BLOCK)?-----/y),
  shape(
    'url-password',
    ':// :\\/\\/',
    /(?<skip>:\\?\/\\?\/[^\s/?#@:"'<>\\]{0,128}:)[^\s/?#@"'<>\\]{1,512}(?=@)/y,
  ),
  shape(
    'bearer-token',
    'earer EARER',
    /(?<=[Bb])(?<skip>(?:earer|EARER)(?:\s|%20|\+){1,4})(?=[A-Za-z._~+/=-]{0,200}[0-9])[A-Za-z0-9._~+/=-]{16}/y,
    { rest: 'A-Za-z0-9._~+/=-' },
  ),
  shape(
    'basic-credentials',
    'asic ASIC',
    /(?<=[Bb])(?<skip>(?:asic|ASIC)(?:\s|%20){1,4})(?=[A-Za-z+/]{0,200}[0-9])[A-Za-z0-9+/]{16}/y,
    { rest: '=A-Za-z0-9+/' },
  ),
]
