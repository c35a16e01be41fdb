import {
  type ContentBlock,
  createToolRegistry,
  type RedactOptions,
  redact,
  type Stages,
  type ToolDefinition,
  type ToolExecutionResult,
} from 'toolgate'

const fill = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const mixed = (length: number): string => fill('a1B2c3D4', length)
const hex = (length: number): string => fill('0a1b2c3d', length)
const upper = (length: number): string => fill('A2B3C4D5', length)

/** One secret of each shape, made up here and put together so that no scanner takes this file for a leak. */
export const SAMPLES: readonly (readonly [kind: string, secret: string])[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(p => ['github-token', p + mixed(36)] as const),
  ['github-token', `github_pat_${mixed(22)}_${mixed(59)}`],
  ['gitlab-token', `glpat-${mixed(20)}`],
  ['gitlab-token', `glpat-${mixed(27)}.01.${mixed(9)}`],
  ['aws-access-key', `AKIA${upper(16)}`],
  ['aws-access-key', `ASIA${upper(16)}`],
  ['google-key', `AIza${mixed(35)}`],
  ['google-key', `ya29.${mixed(60)}`],
  ['google-key', `GOCSPX-${mixed(28)}`],
  ['google-key', `1//0${mixed(50)}`],
  ['slack-token', `xoxb-${fill('123', 12)}-${fill('456', 12)}-${mixed(24)}`],
  ['slack-token', `xapp-1-${mixed(30)}`],
  ['anthropic-key', `sk-ant-api03-${mixed(93)}AA`],
  ['openai-key', `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`],
  ['openai-key', `sk-${mixed(48)}`],
  ['openai-key', `sk-or-v1-${hex(64)}`],
  ['groq-key', `gsk_${mixed(52)}`],
  ['xai-key', `xai-${mixed(80)}`],
  ['perplexity-key', `pplx-${mixed(48)}`],
  ['replicate-token', `r8_${mixed(37)}`],
  ['huggingface-token', `hf_${mixed(34)}`],
  ['stripe-key', `sk_live_${mixed(24)}`],
  ['stripe-key', `rk_test_${mixed(24)}`],
  ['webhook-secret', `whsec_${mixed(32)}`],
  ['npm-token', `npm_${mixed(36)}`],
  ['pypi-token', `pypi-AgE${mixed(100)}`],
  ['docker-token', `dckr_pat_${mixed(27)}`],
  ['digitalocean-token', `dop_v1_${hex(64)}`],
  ['shopify-token', `shpat_${hex(32)}`],
  ['sendgrid-key', `SG.${mixed(22)}.${mixed(43)}`],
  ['twilio-key', `SK${hex(32)}`],
  ['mailgun-key', `key-${hex(32)}`],
  ['mailchimp-key', `${hex(32)}-us12`],
  ['databricks-token', `dapi${hex(32)}`],
  ['vault-token', `hvs.${mixed(95)}`],
  ['terraform-token', `${mixed(14)}.atlasv1.${mixed(67)}`],
  ['grafana-token', `glc_${mixed(60)}`],
  ['grafana-token', `glsa_${mixed(32)}_${hex(8)}`],
  ['linear-key', `lin_api_${mixed(40)}`],
  ['notion-token', `ntn_${mixed(46)}`],
  ['notion-token', `secret_${mixed(43)}`],
  ['figma-token', `figd_${mixed(40)}`],
  ['vercel-token', `vcp_${mixed(24)}`],
  ['netlify-token', `nfp_${mixed(36)}`],
  ['supabase-key', `sbp_${hex(40)}`],
  ['supabase-key', `sb_secret_${mixed(31)}`],
  ['planetscale-token', `pscale_tkn_${mixed(43)}`],
  ['postman-key', `PMAK-${hex(24)}-${hex(34)}`],
  ['newrelic-key', `NRAK-${upper(27)}`],
  ['sentry-token', `sntrys_${mixed(60)}`],
  ['age-key', `AGE-SECRET-KEY-1${upper(58)}`],
  ['onepassword-token', `ops_eyJ${mixed(120)}`],
  ['telegram-token', `${fill('123', 10)}:AA${mixed(33)}`],
  ['discord-token', `M${mixed(23)}.${mixed(6)}.${mixed(27)}`],
  ['atlassian-token', `ATATT3${mixed(186)}`],
  ['azure-secret', `abc8Q~${mixed(34)}`],
  ['jwt', `eyJ${mixed(30)}.eyJ${mixed(60)}.${mixed(43)}`],
]

/** A private key of so many lines. */
export const privateKey = (newline = '\n', lines = 3): string =>
  [
    '-----BEGIN RSA PRIVATE KEY-----',
    ...Array.from({ length: lines }, () => mixed(64)),
    '-----END RSA PRIVATE KEY-----',
  ].join(newline)

export const GITHUB: string = `ghp_${mixed(36)}`
export const text = (value: string): ContentBlock => ({ type: 'text', text: value })
export const textsOf = (content: readonly ContentBlock[]): string[] =>
  content.map(block => (block.type === 'text' ? block.text : `<${block.type}>`))

/** Runs one call of a tool whose result is redacted. */
export function runRedacted(
  tool: ToolDefinition,
  options?: RedactOptions,
  inner: readonly Stages[] = [],
): Promise<ToolExecutionResult> {
  const registry = createToolRegistry({ tools: [tool], stages: [redact(options), ...inner] })
  return registry.execute({ callId: '1', name: tool.name })
}
