// Mends what the packages of the polyfills tell otherwise than runtimes do, and takes away their data of other languages. Each
// change must find its place.
import { editsOf } from './edit-text.mjs'

const ONLY_ENGLISH = [/const defaultContent = \{[\s\S]*?\n\};/g, 'const defaultContent = { en: ["en-US"] };']

const PATCHES = {
  // Half of a pair has no place in a URL.
  'to-string': [['$String(argument)', '$String(argument).toWellFormed()']],
  'web.url-search-params.constructor': [
    [
      'if (init !== undefined) {',
      'if (typeof init == "string") init = $toString(init); if (init !== undefined) {',
    ],
  ],
  // The logarithm of sixteen digits was one too small, and that of nines was rounded up to the next power.
  bigdecimal: [
    ['const shift = digits - 17;', 'const shift = Math.max(0, digits - 17);'],
    ['log10Mantissa + this._exponent', 'Math.min(log10Mantissa, digits - 1e-9) + this._exponent'],
  ],
  'intl-numberformat': [
    ONLY_ENGLISH,
    [/const digitMapping = \{[\s\S]*?\n\};/g, 'const digitMapping = {};'],
    // Powers of ten were compared as texts: 1e-7 came out as trillions.
    ['if (num < thresholds[0]) return 0;', 'if (+num < +thresholds[0]) return 0;'],
    ['if (num > thresholds[thresholds.length - 1]) {', 'if (+num > +thresholds[thresholds.length - 1]) {'],
    [
      'if (thresholds.length > 0 && magnitudeKey > thresholds[thresholds.length - 1]) {',
      'if (thresholds.length > 0 && +magnitudeKey > +thresholds[thresholds.length - 1]) {',
      2,
    ],
    [
      '.replace(/0+/, "0");\n\treturn pattern;',
      '.replace(/0+/, "0");\n\treturn style === "percent" ? pattern + "%" : pattern;',
    ],
    [
      'ToRawFixed(new Decimal(exponent), 0, 0, roundingIncrement, unsignedRoundingMode)',
      'ToRawFixed(new Decimal(exponent), 0, 0, 1, unsignedRoundingMode)',
    ],
    ['if (afterCurrency && ', 'if (afterCurrency && numberResult.roundedNumber.isFinite() && '],
    [
      '!compactNumberPattern && (options.useGrouping ?? true)',
      'compactNumberPattern && options.useGrouping === "auto" ? "min2" : (options.useGrouping ?? true)',
    ],
    [
      'Number.isSafeInteger(roundedNum) &&',
      'formatNumberResult.roundedNumber.isInteger() && Number.isSafeInteger(roundedNum) &&',
    ],
    ['Number.isSafeInteger(xNum) &&', 'x.isInteger() && Number.isSafeInteger(xNum) &&'],
  ],
  'intl-datetimeformat': [
    ONLY_ENGLISH,
    [
      'result.second = "numeric";\n\t\t\treturn "{second}";\n\t\tcase "z"',
      'return "{fractionalSecondDigits}";\n\t\tcase "z"',
    ],
    [': "yYur".includes(c) ? Infinity', ': "yYurS".includes(c) ? Infinity'],
    ['if (opt.fractionalSecondDigits !== void 0 && pattern.includes("{second}")', 'if (false'],
    ['if (style === "long") offsetStr', 'if (style.startsWith("long")) offsetStr'],
    ['else if (mins || hours) {', 'else {'],
    // Noon is as long as what is shown of the time.
    [
      'function getDayPeriodName(data, time, width = "short") {',
      'function getDayPeriodName(data, time, width = "short", pattern) {',
    ],
    [
      'const value = ((time.hour * 60 + time.minute) * 60 + time.second) * 1e3 + time.millisecond;',
      'const value = ((time.hour * 60 + (pattern.includes("{minute}") ? time.minute : 0)) * 60 + (pattern.includes("{second}") ? time.second : 0)) * 1e3;',
    ],
    [
      /(getDayPeriodName\(dataLocaleData, tm[12]?, internalSlots\.dayPeriod)\)/g,
      (_all, call) => `${call}, internalSlots.pattern)`,
      3,
    ],
    // Zones have names since 1970.
    [
      'if (timeZoneData && timeZoneData[f]) {',
      'if (timeZoneData && timeZoneData[f] && (internalSlots.timeZone === "UTC" || +String(epochNanoseconds) >= 0)) {',
    ],
    // Ranges show fields that were not asked for, and numbers as their own patterns have them.
    [
      'let f = internalSlots[p];',
      'let f = internalSlots[p] ?? "numeric"; const own = rangeFormatOptions?.fields?.[p]; if (p !== "year" && isNumericType(own) && isNumericType(f)) f = own;',
    ],
    [
      'const rangeFormatOptions = { patternParts:',
      'const rangeFormatOptions = { fields: rangePattern, patternParts:',
    ],
    ['export { DateTimeFormat };', 'export { DateTimeFormat, parseDateTimeSkeleton };'],
  ],
  'intl-listformat': [ONLY_ENGLISH],
  'intl-relativetimeformat': [ONLY_ENGLISH],
}

/** The source of a file of a package, mended. */
export function patchPackage(name, source) {
  const { replace } = editsOf(name)
  return (PATCHES[name] ?? []).reduce(
    (patched, [was, now, times]) => replace(patched, was, now, times),
    source,
  )
}
