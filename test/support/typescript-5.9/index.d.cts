export = ts
import ts = require('typescript')
