module.exports = require('typescript')
