import { createRedactor } from 'toolgate'
import { describe, expect, it } from 'vitest'

const redactor = createRedactor()
const shown = (text: string): string => redactor.text(text).value
const P = '[redacted password]'

describe('a value whose name says that it is a secret', () => {
  it.each([
    ['JSON', '{"password":"hunter2","id":1}', `{"password":"${P}","id":1}`],
    ['JSON with spaces', '{ "dbPassword" : "a b" }', `{ "dbPassword" : "${P}" }`],
    ['JSON with escapes', '{"password":"a\\"b\\\\","id":1}', `{"password":"${P}","id":1}`],
    ['a number', '{"password": 123456, "n": 2}', `{"password": "${P}", "n": 2}`],
    [
      'JSON in JSON',
      JSON.stringify({ body: JSON.stringify({ password: 'a"b\\', id: 1 }) }),
      JSON.stringify({ body: JSON.stringify({ password: P, id: 1 }) }),
    ],
    ['code', "const password = 'hunter2';", `const password = '${P}';`],
    ['a named argument', 'connect(password="hunter2", host="db")', `connect(password="${P}", host="db")`],
    ['a hash rocket', ":password => 'x1',", `:password => '${P}',`],
    ['a variable', 'export DB_PASSWORD=correcthorse\nNEXT=1', `export DB_PASSWORD=${P}\nNEXT=1`],
    [
      'a variable in JSON',
      '{"env":"A=1\\nGITHUB_TOKEN=abc"}',
      '{"env":"A=1\\nGITHUB_TOKEN=[redacted token]"}',
    ],
    ['a setting', 'user: ada\npassword: hunter2\nport: 1', `user: ada\npassword: ${P}\nport: 1`],
    ['an escaped line', '"a: 1\\npassword: hunter2\\nb: 2"', `"a: 1\\npassword: ${P}\\nb: 2"`],
    ['a query', 'https://a/b?x=1&api_key=a1b2c3d4&y=2', 'https://a/b?x=1&api_key=[redacted api-key]&y=2'],
    ['a connection string', 'Server=db;Password=hunter2;Port=1', `Server=db;Password=${P};Port=1`],
    ['a header', 'x-api-key: some key here\nhost: a', 'x-api-key: [redacted api-key]\nhost: a'],
    [
      'a header of a command',
      "curl -H 'X-Auth-Token: abc def'",
      "curl -H 'X-Auth-Token: [redacted auth-token]'",
    ],
    ['cookies', 'set-cookie: sid=a1; Path=/\r\n', 'set-cookie: [redacted cookie]\r\n'],
    ['a scheme', '{"authorization":"Bearer abc"}', '{"authorization":"Bearer [redacted authorization]"}'],
    [
      'a cloud secret',
      'aws_secret_access_key = "abc/def"',
      'aws_secret_access_key = "[redacted access-key]"',
    ],
    ['a mixed token', '{"token":"a1b2c3d4e5f6a7b8"}', '{"token":"[redacted token]"}'],
    ['a value without an end', 'password="hunter2\nnext', `password="${P}\nnext`],
  ])('is hidden in %s', (_what, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it.each([
    ['a type', 'interface User { password: string; token: string }'],
    ['a call', 'password = getPassword(user)\nconst apiKey = process.env.API_KEY'],
    ['a comparison', 'if (password == "x" || secret === "y") {}'],
    ['a schema', '{"properties":{"password":{"type":"string"}},"required":["password"]}'],
    ['a label', '{"password":"Password"}'],
    ['a reference', `PASSWORD=$OTHER\nTOKEN_KEY=\${X}\n{"password":"<your password>","secret":"****"}`],
    ['nothing', '{"password":"","secret":null,"pwd":true}'],
    ['where a list goes on', '{"nextPageToken":"a1b2c3d4e5f6a7b8","sync_token":"a1b2c3d4e5f6a7b8"}'],
    ['a short token', '{"token":"hello"}'],
    ['how many', 'max_tokens: 100\nprompt_tokens=250'],
    ['a name of a name', '{"secretName":"db","password_hash_rounds":"10","access_key_id":"x"}'],
    ['prose', 'The password: choose a good one. Key: value pairs are fine. Cookie: a small file.'],
  ])('is not %s', (_what, text) => {
    expect(redactor.text(text)).toEqual({ value: text, count: 0 })
  })

  it('is hidden in values, in lists too, whatever it is', () => {
    const value = {
      user: 'ada',
      password: 'hunter2',
      pwd: 123456,
      list: [{ client_secret: ['a', 'b'] }],
      token: 'a1b2c3d4e5f6a7b8',
      nextToken: 'a1b2c3d4e5f6a7b8',
      secret: { kept: 'yes' },
    }
    expect(redactor.json(value)).toEqual({
      value: {
        ...value,
        password: P,
        pwd: '[redacted pwd]',
        list: [{ client_secret: ['[redacted secret]', '[redacted secret]'] }],
        token: '[redacted token]',
      },
      count: 5,
    })
  })

  it('is sought by names of one’s own too, and by no names where that is said', () => {
    const own = createRedactor({ keys: ['patientId', 'a.b'] })
    expect(own.text('{"PatientID":"p 7","password":"x1"}').value).toBe(
      `{"PatientID":"[redacted secret]","password":"${P}"}`,
    )
    expect(own.json({ 'a.b': 1, axb: 1 }).value).toEqual({ 'a.b': '[redacted secret]', axb: 1 })
    const none = createRedactor({ keys: false })
    expect(none.text('{"password":"x1"}').count).toBe(0)
    expect(none.json({ password: 'x1' }).count).toBe(0)
  })

  it('stays hidden, and is not hidden twice', () => {
    const text =
      'a: 1\npassword: hunter2\n{"secret":"s1"} Authorization: Bearer a1b2c3d4e5f6a7b8c9\nPWD_KEY_SECRET=1'
    const once = redactor.text(text)
    expect(once.count).toBe(4)
    expect(redactor.text(once.value)).toEqual({ value: once.value, count: 0 })
  })
})
